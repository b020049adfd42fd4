#ifndef CUDAPERF_SERVER_METERED_MEASURER_H_
#define CUDAPERF_SERVER_METERED_MEASURER_H_

#include <atomic>
#include <functional>
#include <memory>

#include "sandbox/measure/measurer.h"
#include "server/server_metrics.h"

namespace cudaperf::server {

// Counts measurements, and tells whether the GPU behind them is there. Thread-safe.
class MeteredMeasurer : public sandbox::Measurer {
 public:
  // `on_health` is called with false when the GPU is lost, with true when it is back. `metrics` is not owned; outlives
  // this.
  MeteredMeasurer(std::unique_ptr<sandbox::Measurer> measurer, ServerMetrics* metrics,
                  std::function<void(bool healthy)> on_health);

  const worker::v1::GpuIdentity& gpu() const override { return measurer_->gpu(); }
  absl::StatusOr<worker::v1::MeasureResponse> Measure(worker::v1::MeasureRequest request,
                                                      const sandbox::CallScope& scope) override;

 private:
  const std::unique_ptr<sandbox::Measurer> measurer_;
  ServerMetrics* const metrics_;
  const std::function<void(bool)> on_health_;
  std::atomic<bool> healthy_ = true;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_METERED_MEASURER_H_
