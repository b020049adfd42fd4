#ifndef CUDAPERF_SANDBOX_COMPILE_NVRTC_WORKER_H_
#define CUDAPERF_SANDBOX_COMPILE_NVRTC_WORKER_H_

#include <memory>
#include <mutex>
#include <utility>

#include "absl/status/statusor.h"
#include "cudaperf/worker/v1/compile.pb.h"
#include "sandbox/compile/compile_jail.h"
#include "sandbox/compile/compiler.h"

namespace cudaperf::sandbox {

// One jailed fork server with NVRTC loaded, seen from the daemon; see fork_server.h for its life. Compiles at once as
// many requests as threads call it. Thread-safe.
class NvrtcWorker : public Compiler {
 public:
  // Blocks until it is warm, about half a second.
  static absl::StatusOr<std::unique_ptr<NvrtcWorker>> Start(const CompileJailOptions& options);

  // UNAVAILABLE when the server, or its means to answer, is gone: nothing is said about the source then.
  absl::StatusOr<worker::v1::CompileResponse> Compile(const worker::v1::CompileRequest& request,
                                                      const CallScope& scope) override;

  bool IsAlive() const;

 private:
  explicit NvrtcWorker(CompileJail jail) : jail_(std::move(jail)) {}

  absl::Status Submit(const worker::v1::CompileRequest& request, int answer_fd);

  CompileJail jail_;
  // Guards sending on the jail's channel.
  std::mutex mutex_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_COMPILE_NVRTC_WORKER_H_
