#ifndef CUDAPERF_SERVER_SERVER_METRICS_H_
#define CUDAPERF_SERVER_SERVER_METRICS_H_

#include <functional>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "cudaperf/reward/v1/evaluation.pb.h"
#include "prometheus/counter.h"
#include "prometheus/gauge.h"
#include "prometheus/histogram.h"
#include "prometheus/registry.h"

namespace cudaperf::server {

// Everything `/metrics` shows. Names and units follow Prometheus' practice. Thread-safe.
class ServerMetrics {
 public:
  ServerMetrics(const std::string& server_version, const std::string& device, const std::string& gpu);

  // Cached answers count as evaluations and by their reward, not by their stages.
  void CountEvaluation(const reward::v1::Evaluation& evaluation, absl::string_view task_kind);
  // A request that got a gRPC error instead of an evaluation.
  void CountRejected(absl::string_view method, absl::string_view code);
  void CountCacheHit(absl::string_view cache);
  void CountCacheMiss(absl::string_view cache);
  // `worker`: `compiler` or `judge`.
  void CountWorkerCall(absl::string_view worker, absl::Duration duration);
  // `reason`: `wall_time`, `limit`, `crash`, `cancelled`, `deadline`.
  void CountWorkerKilled(absl::string_view worker, absl::string_view reason);
  // Counts the kill that a caller's cancellation or deadline caused; nothing for any other status.
  void CountAbandoned(absl::string_view worker, const absl::Status& status);

  // A profile that had to come from the emulated device although a GPU timed the candidate.
  void CountCounterError(absl::string_view reason);

  // Read when metrics are collected.
  struct Load {
    int queued_count = 0;
    int in_flight_count = 0;
    int task_count = 0;
  };
  // The source outlives this, or is replaced by an empty function.
  void SetLoadSource(std::function<Load()> source);

  // Prometheus' text format.
  std::string Render();

 private:
  prometheus::Registry registry_;
  prometheus::Family<prometheus::Counter>& evaluations_;
  prometheus::Family<prometheus::Counter>& rejected_;
  prometheus::Family<prometheus::Counter>& cache_hits_;
  prometheus::Family<prometheus::Counter>& cache_misses_;
  prometheus::Family<prometheus::Counter>& workers_started_;
  prometheus::Family<prometheus::Counter>& workers_killed_;
  prometheus::Family<prometheus::Counter>& counter_errors_;
  prometheus::Family<prometheus::Histogram>& stage_durations_;
  prometheus::Family<prometheus::Histogram>& worker_durations_;
  prometheus::Histogram& queue_durations_;
  prometheus::Histogram& rewards_;
  prometheus::Histogram& speedups_;
  prometheus::Gauge& queued_;
  prometheus::Gauge& in_flight_;
  prometheus::Gauge& tasks_;
  std::mutex mutex_;
  std::function<Load()> load_source_;  // Guarded by mutex_.
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_SERVER_METRICS_H_
