#ifndef CUDAPERF_SERVER_METERED_COMPILER_H_
#define CUDAPERF_SERVER_METERED_COMPILER_H_

#include <memory>

#include "sandbox/compile/compiler.h"
#include "server/server_metrics.h"

namespace cudaperf::server {

// Counts compilations, their time, and the worker trees that had to be killed. Thread-safe.
class MeteredCompiler : public sandbox::Compiler {
 public:
  // `metrics` is not owned; outlives this.
  MeteredCompiler(std::unique_ptr<sandbox::Compiler> compiler, ServerMetrics* metrics);

  absl::StatusOr<worker::v1::CompileResponse> Compile(const worker::v1::CompileRequest& request,
                                                      const sandbox::CallScope& scope) override;

 private:
  const std::unique_ptr<sandbox::Compiler> compiler_;
  ServerMetrics* const metrics_;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_METERED_COMPILER_H_
