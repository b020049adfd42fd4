#ifndef CUDAPERF_SANDBOX_COMPILE_DEVICE_COMPILE_H_
#define CUDAPERF_SANDBOX_COMPILE_DEVICE_COMPILE_H_

#include <string>
#include <vector>

#include "cudaperf/worker/v1/compile.pb.h"
#include "sandbox/compile/nvrtc_library.h"

namespace cudaperf::sandbox {

// Compiles a device-only candidate with NVRTC, here and now, and describes what came out. For jailed processes.
worker::v1::CompileResponse CompileForDevice(const NvrtcLibrary& nvrtc, const std::string& toolkit_root,
                                             const worker::v1::CompileRequest& request);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_COMPILE_DEVICE_COMPILE_H_
