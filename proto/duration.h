#ifndef CUDAPERF_PROTO_DURATION_H_
#define CUDAPERF_PROTO_DURATION_H_

#include "absl/time/time.h"
#include "google/protobuf/duration.pb.h"
#include "google/protobuf/timestamp.pb.h"

namespace cudaperf::proto {

inline absl::Duration FromProto(const google::protobuf::Duration& proto) {
  return absl::Seconds(proto.seconds()) + absl::Nanoseconds(proto.nanos());
}

inline google::protobuf::Duration ToProto(absl::Duration duration) {
  google::protobuf::Duration proto;
  proto.set_seconds(absl::IDivDuration(duration, absl::Seconds(1), &duration));
  proto.set_nanos(static_cast<int32_t>(absl::ToInt64Nanoseconds(duration)));
  return proto;
}

inline google::protobuf::Timestamp ToProto(absl::Time time) {
  google::protobuf::Timestamp proto;
  proto.set_seconds(absl::ToUnixSeconds(time));
  proto.set_nanos(static_cast<int32_t>((time - absl::FromUnixSeconds(proto.seconds())) / absl::Nanoseconds(1)));
  return proto;
}

}  // namespace cudaperf::proto

#endif  // CUDAPERF_PROTO_DURATION_H_
