#ifndef CUDAPERF_SANDBOX_COMPILE_HOST_BUILDER_H_
#define CUDAPERF_SANDBOX_COMPILE_HOST_BUILDER_H_

#include <utility>

#include "absl/status/statusor.h"
#include "cudaperf/worker/v1/compile.pb.h"
#include "sandbox/compile/compile_jail.h"
#include "sandbox/compile/compiler.h"

namespace cudaperf::sandbox {

// Builds launchers and device-only sources with nvcc and references with cc, each in a fresh jail with a private
// folder. Thread-safe.
class HostBuilder : public Compiler {
 public:
  explicit HostBuilder(CompileJailOptions options) : options_(std::move(options)) {}

  absl::StatusOr<worker::v1::CompileResponse> Compile(const worker::v1::CompileRequest& request,
                                                      const CallScope& scope) override;

 private:
  const CompileJailOptions options_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_COMPILE_HOST_BUILDER_H_
