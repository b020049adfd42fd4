#ifndef CUDAPERF_SANDBOX_COMPILE_SANDBOXED_COMPILER_H_
#define CUDAPERF_SANDBOX_COMPILE_SANDBOXED_COMPILER_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/statusor.h"
#include "cudaperf/worker/v1/compile.pb.h"
#include "sandbox/compile/compile_jail.h"
#include "sandbox/compile/compiler.h"
#include "sandbox/compile/host_builder.h"
#include "sandbox/compile/nvrtc_worker.h"

namespace cudaperf::sandbox {

// Compiles in jails: device-only candidates in children of a warm NVRTC, launchers, references and what NVRTC refuses
// in a jail each.
// Restarts the warm process when it dies. Thread-safe.
class SandboxedCompiler : public Compiler {
 public:
  struct Options {
    // Folder of the `cudaperf-*` binaries.
    std::string worker_directory;
    std::string toolkit_root;
    reward::v1::SandboxLevel level = reward::v1::SANDBOX_LEVEL_FULL;
    // Of one compilation.
    int64_t memory_bytes = int64_t{4} << 30;
    // Compiled for when a request names none.
    std::string architecture = "sm_90";
    int64_t max_source_bytes = int64_t{1} << 20;
  };

  // Blocks until NVRTC is warm. NOT_FOUND when the toolkit is not there, FAILED_PRECONDITION when the machine does not
  // allow the level or the toolkit does not compile.
  static absl::StatusOr<std::unique_ptr<SandboxedCompiler>> Create(const Options& options);

  absl::StatusOr<worker::v1::CompileResponse> Compile(const worker::v1::CompileRequest& request,
                                                      const CallScope& scope) override;

 private:
  SandboxedCompiler(CompileJailOptions jail, int64_t max_source_bytes, std::shared_ptr<NvrtcWorker> nvrtc);

  // The warm worker; a fresh one when the last has died.
  absl::StatusOr<std::shared_ptr<NvrtcWorker>> Nvrtc();
  // This one has failed to answer: the next compilation gets a fresh one.
  void Discard(const std::shared_ptr<NvrtcWorker>& worker);
  // NVRTC, then nvcc where NVRTC fails.
  absl::StatusOr<worker::v1::CompileResponse> CompileForDevice(worker::v1::CompileRequest request,
                                                               const CallScope& scope);
  absl::StatusOr<worker::v1::CompileResponse> CompileWithNvrtc(const worker::v1::CompileRequest& request,
                                                               const CallScope& scope);

  const CompileJailOptions jail_;
  const int64_t max_source_bytes_;
  HostBuilder host_builder_;
  std::mutex mutex_;
  // Guarded by mutex_.
  std::shared_ptr<NvrtcWorker> nvrtc_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_COMPILE_SANDBOXED_COMPILER_H_
