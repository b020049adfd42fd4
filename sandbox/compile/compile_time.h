#ifndef CUDAPERF_SANDBOX_COMPILE_COMPILE_TIME_H_
#define CUDAPERF_SANDBOX_COMPILE_COMPILE_TIME_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "cudaperf/worker/v1/compile.pb.h"
#include "proto/duration.h"

namespace cudaperf::sandbox {

// What a request's time limit means: processor time of the compiler and all it starts, which does not depend on what
// else the machine does.
inline absl::Duration CpuTimeLimit(const worker::v1::CompileRequest& request) {
  const absl::Duration limit = proto::FromProto(request.time_limit());
  return limit > absl::ZeroDuration() ? limit : absl::Seconds(60);
}

// For compilers that wait rather than compute, and for machines that give them less than a quarter of a core.
inline absl::Duration WallTimeLimit(const worker::v1::CompileRequest& request) { return 4 * CpuTimeLimit(request); }

inline std::string DescribeCpuTimeOut(absl::Duration limit) {
  return absl::StrCat("the compiler took more than ", absl::FormatDuration(limit), " of processor time");
}

inline std::string DescribeWallTimeOut(absl::Duration limit) {
  return absl::StrCat("the compiler did not finish within ", absl::FormatDuration(limit));
}

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_COMPILE_COMPILE_TIME_H_
