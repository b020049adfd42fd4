#include "server/server_metrics.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/strip.h"
#include "prometheus/text_serializer.h"
#include "proto/duration.h"

namespace cudaperf::server {
namespace {

using prometheus::BuildCounter;
using prometheus::BuildGauge;
using prometheus::BuildHistogram;
using Buckets = prometheus::Histogram::BucketBoundaries;

const Buckets kSeconds = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120};
const Buckets kRewards = {-3, -2.5, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5};
const Buckets kSpeedups = {0.0625, 0.125, 0.25, 0.5, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 4, 8, 16, 32};

prometheus::Family<prometheus::Counter>& Counters(prometheus::Registry& registry, const char* name, const char* help) {
  return BuildCounter().Name(name).Help(help).Register(registry);
}

prometheus::Family<prometheus::Histogram>& Histograms(prometheus::Registry& registry, const char* name,
                                                      const char* help) {
  return BuildHistogram().Name(name).Help(help).Register(registry);
}

prometheus::Gauge& OneGauge(prometheus::Registry& registry, const char* name, const char* help) {
  return BuildGauge().Name(name).Help(help).Register(registry).Add({});
}

// `OUTCOME_WRONG_RESULT` is `wrong_result`.
std::string OutcomeLabel(reward::v1::Outcome outcome) {
  const std::string name = reward::v1::Outcome_Name(outcome);
  return absl::AsciiStrToLower(absl::StripPrefix(name, "OUTCOME_"));
}

}  // namespace

ServerMetrics::ServerMetrics(const std::string& server_version, const std::string& device, const std::string& gpu)
    : evaluations_(
          Counters(registry_, "cudaperf_evaluations_total", "Evaluations answered, by outcome and task kind.")),
      rejected_(Counters(registry_, "cudaperf_rejected_requests_total", "Requests answered with an error, by code.")),
      cache_hits_(Counters(registry_, "cudaperf_cache_hits_total", "Lookups answered from a cache.")),
      cache_misses_(Counters(registry_, "cudaperf_cache_misses_total", "Lookups a cache could not answer.")),
      workers_started_(Counters(registry_, "cudaperf_workers_started_total", "Worker trees put to work, by kind.")),
      workers_killed_(
          Counters(registry_, "cudaperf_workers_killed_total", "Worker trees that did not end by themselves.")),
      counter_errors_(Counters(registry_, "cudaperf_counter_errors_total",
                               "Profiles for want of hardware counters taken from the emulated device, by reason.")),
      stage_durations_(Histograms(registry_, "cudaperf_stage_duration_seconds", "Time of each stage of the road.")),
      worker_durations_(Histograms(registry_, "cudaperf_worker_duration_seconds", "Time of one call of a worker.")),
      queue_durations_(Histograms(registry_, "cudaperf_queue_duration_seconds", "Time evaluations waited for a slot.")
                           .Add({}, kSeconds)),
      rewards_(Histograms(registry_, "cudaperf_reward", "Rewards given.").Add({}, kRewards)),
      speedups_(Histograms(registry_, "cudaperf_speedup_ratio", "Speedups over the baseline of passing candidates.")
                    .Add({}, kSpeedups)),
      queued_(OneGauge(registry_, "cudaperf_queue_depth", "Requests waiting for a slot.")),
      in_flight_(OneGauge(registry_, "cudaperf_in_flight_requests", "Requests that hold a slot.")),
      tasks_(OneGauge(registry_, "cudaperf_registered_tasks", "Tasks registered.")) {
  BuildGauge()
      .Name("cudaperf_build_info")
      .Help("Constant 1; what runs here.")
      .Register(registry_)
      .Add({{"version", server_version}, {"device", device}, {"gpu", gpu}})
      .Set(1);
  // Present from the start, so that a rate over them is 0 and not absent.
  for (const char* cache : {"result", "compile"}) {
    cache_hits_.Add({{"cache", cache}});
    cache_misses_.Add({{"cache", cache}});
  }
  for (const char* worker : {"compiler", "judge"}) workers_started_.Add({{"worker", worker}});
}

void ServerMetrics::CountEvaluation(const reward::v1::Evaluation& evaluation, absl::string_view task_kind) {
  evaluations_.Add({{"outcome", OutcomeLabel(evaluation.outcome())}, {"task_kind", std::string(task_kind)}})
      .Increment();
  rewards_.Observe(evaluation.reward().value());
  if (evaluation.has_timing()) speedups_.Observe(evaluation.timing().speedup());
  if (evaluation.provenance().cache_hit()) return;
  if (evaluation.has_compile()) evaluation.compile().cache_hit() ? CountCacheHit("compile") : CountCacheMiss("compile");
  queue_durations_.Observe(absl::ToDoubleSeconds(proto::FromProto(evaluation.provenance().queue_duration())));
  for (const reward::v1::StageDuration& stage : evaluation.provenance().stage_durations()) {
    stage_durations_.Add({{"stage", stage.stage()}}, kSeconds)
        .Observe(absl::ToDoubleSeconds(proto::FromProto(stage.duration())));
  }
}

void ServerMetrics::CountRejected(absl::string_view method, absl::string_view code) {
  rejected_.Add({{"method", std::string(method)}, {"code", std::string(code)}}).Increment();
}

void ServerMetrics::CountCacheHit(absl::string_view cache) {
  cache_hits_.Add({{"cache", std::string(cache)}}).Increment();
}

void ServerMetrics::CountCacheMiss(absl::string_view cache) {
  cache_misses_.Add({{"cache", std::string(cache)}}).Increment();
}

void ServerMetrics::CountWorkerCall(absl::string_view worker, absl::Duration duration) {
  workers_started_.Add({{"worker", std::string(worker)}}).Increment();
  worker_durations_.Add({{"worker", std::string(worker)}}, kSeconds).Observe(absl::ToDoubleSeconds(duration));
}

void ServerMetrics::CountCounterError(absl::string_view reason) {
  counter_errors_.Add({{"reason", std::string(reason)}}).Increment();
}

void ServerMetrics::CountWorkerKilled(absl::string_view worker, absl::string_view reason) {
  workers_killed_.Add({{"worker", std::string(worker)}, {"reason", std::string(reason)}}).Increment();
}

void ServerMetrics::CountAbandoned(absl::string_view worker, const absl::Status& status) {
  if (absl::IsCancelled(status)) CountWorkerKilled(worker, "cancelled");
  if (absl::IsDeadlineExceeded(status)) CountWorkerKilled(worker, "deadline");
}

void ServerMetrics::SetLoadSource(std::function<Load()> source) {
  std::lock_guard lock(mutex_);
  load_source_ = std::move(source);
}

std::string ServerMetrics::Render() {
  std::lock_guard lock(mutex_);
  const Load load = load_source_ ? load_source_() : Load{};
  queued_.Set(load.queued_count);
  in_flight_.Set(load.in_flight_count);
  tasks_.Set(load.task_count);
  return prometheus::TextSerializer().Serialize(registry_.Collect());
}

}  // namespace cudaperf::server
