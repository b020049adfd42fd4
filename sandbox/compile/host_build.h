#ifndef CUDAPERF_SANDBOX_COMPILE_HOST_BUILD_H_
#define CUDAPERF_SANDBOX_COMPILE_HOST_BUILD_H_

#include <string>

#include "absl/status/statusor.h"
#include "cudaperf/worker/v1/compile.pb.h"

namespace cudaperf::sandbox {

// Builds a launcher with nvcc, or a reference with cc, in the current folder, which must be empty and private: file
// names and flags are fixed, the environment is empty but for what the tools need. For jailed processes. A non-OK
// status means that the tools are not there.
absl::StatusOr<worker::v1::CompileResponse> BuildForHost(const std::string& toolkit_root,
                                                         const worker::v1::CompileRequest& request);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_COMPILE_HOST_BUILD_H_
