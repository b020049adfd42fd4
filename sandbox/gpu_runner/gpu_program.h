#ifndef CUDAPERF_SANDBOX_GPU_RUNNER_GPU_PROGRAM_H_
#define CUDAPERF_SANDBOX_GPU_RUNNER_GPU_PROGRAM_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "cudaperf/worker/v1/gpu_runner.pb.h"
#include "sandbox/gpu_runner/gpu_context.h"

namespace cudaperf::sandbox {

// The candidate in this process. Not thread-safe.
class GpuProgram {
 public:
  virtual ~GpuProgram() = default;

  // Starts one call and returns when everything that it started, on any stream, has ended.
  virtual worker::v1::GpuCallResponse Call(const worker::v1::GpuCallRequest& request) = 0;
};

// Kernels that this process launches itself. The status says in the driver's words why they do not load:
// INVALID_ARGUMENT.
absl::StatusOr<std::unique_ptr<GpuProgram>> LoadCubin(GpuContext* gpu, const std::string& cubin);

// A shared object whose host code launches. From here on this process belongs to the candidate. INVALID_ARGUMENT in the
// dynamic linker's words when it does not load.
absl::StatusOr<std::unique_ptr<GpuProgram>> LoadLauncher(GpuContext* gpu, const std::string& path);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_GPU_RUNNER_GPU_PROGRAM_H_
