#ifndef CUDAPERF_SERVER_PIPELINE_EVALUATOR_H_
#define CUDAPERF_SERVER_PIPELINE_EVALUATOR_H_

#include <memory>
#include <vector>

#include "analyzers/analyzer.h"
#include "analyzers/gpu_sheet.h"
#include "cudaperf/config/v1/server_config.pb.h"
#include "sandbox/compile/compiler.h"
#include "sandbox/judge/judge.h"
#include "server/candidate_build.h"
#include "server/evaluator.h"
#include "server/server_identity.h"

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

  const Options options_;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_PIPELINE_EVALUATOR_H_
