#include "server/metered_measurer.h"

#include <utility>

#include "absl/time/clock.h"

namespace cudaperf::server {

MeteredMeasurer::MeteredMeasurer(std::unique_ptr<sandbox::Measurer> measurer, ServerMetrics* metrics,
                                 std::function<void(bool)> on_health)
    : measurer_(std::move(measurer)), metrics_(metrics), on_health_(std::move(on_health)) {}

absl::StatusOr<worker::v1::MeasureResponse> MeteredMeasurer::Measure(worker::v1::MeasureRequest request,
                                                                     const sandbox::CallScope& scope) {
  const absl::Time started_at = absl::Now();
  absl::StatusOr<worker::v1::MeasureResponse> response = measurer_->Measure(std::move(request), scope);
  metrics_->CountWorkerCall("gpu_judge", absl::Now() - started_at);
  metrics_->CountAbandoned("gpu_judge", response.status());
  const bool is_lost = absl::IsUnavailable(response.status());
  if (!is_lost && !response.ok()) return response;
  if (healthy_.exchange(!is_lost) == is_lost) on_health_(!is_lost);
  return response;
}

}  // namespace cudaperf::server
