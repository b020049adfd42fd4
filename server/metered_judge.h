#ifndef CUDAPERF_SERVER_METERED_JUDGE_H_
#define CUDAPERF_SERVER_METERED_JUDGE_H_

#include <memory>

#include "sandbox/judge/judge.h"
#include "server/server_metrics.h"

namespace cudaperf::server {

// Counts calls, their time, and the worker trees that had to be killed. Thread-safe.
class MeteredJudge : public sandbox::Judge {
 public:
  // `metrics` is not owned; outlives this.
  MeteredJudge(std::unique_ptr<sandbox::Judge> judge, ServerMetrics* metrics);

  absl::StatusOr<worker::v1::ExamineResponse> Examine(worker::v1::ExamineRequest request,
                                                      const sandbox::CallScope& scope) override;
  absl::StatusOr<worker::v1::AdmitResponse> Admit(worker::v1::AdmitRequest request,
                                                  const sandbox::CallScope& scope) override;

 private:
  const std::unique_ptr<sandbox::Judge> judge_;
  ServerMetrics* const metrics_;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_METERED_JUDGE_H_
