#ifndef CUDAPERF_SANDBOX_MEASURE_DURATION_FIELD_H_
#define CUDAPERF_SANDBOX_MEASURE_DURATION_FIELD_H_

#include "absl/time/time.h"
#include "google/protobuf/duration.pb.h"

namespace cudaperf::sandbox {

// To the nanosecond, as the field holds it.
inline void SetDuration(absl::Duration duration, google::protobuf::Duration* field) {
  field->set_seconds(absl::IDivDuration(duration, absl::Seconds(1), &duration));
  field->set_nanos(static_cast<int>(absl::ToInt64Nanoseconds(duration)));
}

inline absl::Duration FromField(const google::protobuf::Duration& field) {
  return absl::Seconds(field.seconds()) + absl::Nanoseconds(field.nanos());
}

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_MEASURE_DURATION_FIELD_H_
