#ifndef CUDAPERF_SERVER_PIPELINE_EVALUATOR_H_
#define CUDAPERF_SERVER_PIPELINE_EVALUATOR_H_

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "analyzers/analyzer.h"
#include "analyzers/gpu_sheet.h"
#include "cudaperf/config/v1/server_config.pb.h"
#include "sandbox/compile/compiler.h"
#include "sandbox/judge/judge.h"
#include "sandbox/measure/measurer.h"
#include "server/candidate_build.h"
#include "server/evaluator.h"
#include "server/event_log.h"
#include "server/server_identity.h"
#include "server/server_metrics.h"

namespace cudaperf::server {

// Walks the road: admit, compile, analyze, screen, verify, time, profile, rank, reward, feedback. The first stage that
// fails the candidate ends the evidence; reward and feedback are concluded from what there is. Thread-safe.
class PipelineEvaluator : public Evaluator {
 public:
  struct Options {
    config::v1::ServerConfig config;
    ServerIdentity identity;
    BuildOptions build;
    analyzers::GpuSheet gpu;
    std::vector<std::unique_ptr<analyzers::Analyzer>> analyzers;
    // Not owned; both outlive this.
    sandbox::Compiler* compiler = nullptr;
    sandbox::Judge* judge = nullptr;
    // Null without a GPU. Not owned; outlives this.
    sandbox::Measurer* measurer = nullptr;
    // Counts profiles that had to come from the emulated device. Not owned; outlives this.
    ServerMetrics* metrics = nullptr;
    EventLog* log = nullptr;
  };
  explicit PipelineEvaluator(Options options);

  absl::StatusOr<reward::v1::Evaluation> Evaluate(const EvaluationRequest& request,
                                                  const sandbox::CallScope& scope) override;
  // Nothing: it keeps nothing.
  std::optional<reward::v1::Evaluation> Recall(const EvaluationRequest& request) override;

 private:
  // One request on its way.
  struct Walk;
  using Stage = absl::Status (PipelineEvaluator::*)(Walk&) const;

  absl::Status Admit(Walk& walk) const;
  absl::Status Compile(Walk& walk) const;
  absl::Status Analyze(Walk& walk) const;
  absl::Status Screen(Walk& walk) const;
  absl::Status Verify(Walk& walk) const;
  absl::Status Time(Walk& walk) const;
  absl::Status Profile(Walk& walk) const;
  absl::Status Rank(Walk& walk) const;
  absl::Status Reward(Walk& walk) const;
  absl::Status Feedback(Walk& walk) const;

  // Verify, time and profile with a GPU.
  absl::Status VerifyOnGpu(Walk& walk) const;
  void TimeOnGpu(Walk& walk) const;
  absl::Status ProfileOnGpu(Walk& walk) const;
  // Counters of the emulated device, where the GPU's cannot be read.
  absl::Status ProfileEmulated(Walk& walk, const std::string& counter_error) const;

  const Options options_;
  // The operator is told once why counters are missing.
  mutable std::once_flag counters_told_;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_PIPELINE_EVALUATOR_H_
