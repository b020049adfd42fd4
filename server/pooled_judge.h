#ifndef CUDAPERF_SERVER_POOLED_JUDGE_H_
#define CUDAPERF_SERVER_POOLED_JUDGE_H_

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "sandbox/judge/judge.h"

namespace cudaperf::server {

// Several judges as one: each answers one request at a time, the others wait their turn within their scope.
// Thread-safe.
class PooledJudge : public sandbox::Judge {
 public:
  explicit PooledJudge(std::vector<std::unique_ptr<sandbox::Judge>> judges);

  absl::StatusOr<worker::v1::ExamineResponse> Examine(worker::v1::ExamineRequest request,
                                                      const sandbox::CallScope& scope) override;
  absl::StatusOr<worker::v1::AdmitResponse> Admit(worker::v1::AdmitRequest request,
                                                  const sandbox::CallScope& scope) override;

 private:
  // A judge on loan; goes back when the pointer dies.
  using Loan = std::unique_ptr<sandbox::Judge, std::function<void(sandbox::Judge*)>>;

  absl::StatusOr<Loan> Borrow(const sandbox::CallScope& scope);
  void Return(sandbox::Judge* judge);

  const std::vector<std::unique_ptr<sandbox::Judge>> judges_;
  std::mutex mutex_;
  std::condition_variable_any returned_;
  std::vector<sandbox::Judge*> idle_;  // Guarded by mutex_.
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_POOLED_JUDGE_H_
