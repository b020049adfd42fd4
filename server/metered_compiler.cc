#include "server/metered_compiler.h"

#include <utility>

#include "absl/time/clock.h"

namespace cudaperf::server {

MeteredCompiler::MeteredCompiler(std::unique_ptr<sandbox::Compiler> compiler, ServerMetrics* metrics)
    : compiler_(std::move(compiler)), metrics_(metrics) {}

absl::StatusOr<worker::v1::CompileResponse> MeteredCompiler::Compile(const worker::v1::CompileRequest& request,
                                                                     const sandbox::CallScope& scope) {
  const absl::Time started_at = absl::Now();
  absl::StatusOr<worker::v1::CompileResponse> response = compiler_->Compile(request, scope);
  metrics_->CountWorkerCall("compiler", absl::Now() - started_at);
  metrics_->CountAbandoned("compiler", response.status());
  if (!response.ok()) return response;
  switch (response->status()) {
    case worker::v1::COMPILE_STATUS_TIMED_OUT:
      metrics_->CountWorkerKilled("compiler", "wall_time");
      break;
    case worker::v1::COMPILE_STATUS_LIMIT_EXCEEDED:
      metrics_->CountWorkerKilled("compiler", "limit");
      break;
    case worker::v1::COMPILE_STATUS_CRASHED:
      metrics_->CountWorkerKilled("compiler", "crash");
      break;
    default:
      break;
  }
  return response;
}

}  // namespace cudaperf::server
