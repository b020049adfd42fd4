#ifndef CUDAPERF_TESTS_SERVER_FAKE_JUDGE_H_
#define CUDAPERF_TESTS_SERVER_FAKE_JUDGE_H_

#include <atomic>
#include <functional>
#include <utility>

#include "sandbox/judge/judge.h"

namespace cudaperf::server {

// Passes every case with the counters of a coalesced kernel, unless told otherwise. Thread-safe.
class FakeJudge : public sandbox::Judge {
 public:
  using Answer = std::function<absl::StatusOr<worker::v1::ExamineResponse>(const worker::v1::ExamineRequest&,
                                                                           const sandbox::CallScope&)>;
  FakeJudge() : answer_([](const auto& request, const auto&) { return AllPassed(request); }) {}
  explicit FakeJudge(Answer answer) : answer_(std::move(answer)) {}

  static worker::v1::ExamineResponse AllPassed(const worker::v1::ExamineRequest& request) {
    return AllWith(request, reward::v1::CASE_STATUS_PASSED, "");
  }

  // Like the real one: stops behind the first case that did not pass.
  static worker::v1::ExamineResponse AllWith(const worker::v1::ExamineRequest& request, reward::v1::CaseStatus status,
                                             const std::string& detail) {
    worker::v1::ExamineResponse response;
    for (const int index : request.case_indices()) {
      reward::v1::CaseResult* result = response.add_cases();
      result->set_case_name(request.task().cases(index).name());
      result->set_role(request.task().cases(index).role());
      result->set_status(status);
      result->set_detail(detail);
      AddExecution(request.task().cases(index).sizes().at("n"), result);
      if (status != reward::v1::CASE_STATUS_PASSED) break;
    }
    return response;
  }

  absl::StatusOr<worker::v1::ExamineResponse> Examine(worker::v1::ExamineRequest request,
                                                      const sandbox::CallScope& scope) override {
    ++examine_count;
    return answer_(request, scope);
  }

  absl::StatusOr<worker::v1::AdmitResponse> Admit(worker::v1::AdmitRequest request,
                                                  const sandbox::CallScope& scope) override {
    ++admit_count;
    worker::v1::AdmitResponse response;
    response.set_refusal(refusal);
    return response;
  }

  std::string refusal;
  std::atomic<int> examine_count = 0;
  std::atomic<int> admit_count = 0;

 private:
  static void AddExecution(int64_t n, reward::v1::CaseResult* result) {
    reward::v1::KernelExecution* execution = result->add_executions();
    execution->set_kernel("saxpy");
    for (const int extent : {static_cast<int>((n + 255) / 256), 1, 1}) execution->add_grid(extent);
    for (const int extent : {256, 1, 1}) execution->add_block(extent);
    const int64_t warps = (n + 31) / 32;
    execution->set_longest_warp_instruction_count(12);
    reward::v1::Counters* counters = execution->mutable_counters();
    counters->set_warp_instruction_count(12 * warps);
    counters->set_thread_instruction_count(12 * n);
    counters->set_global_load_request_count(2 * warps);
    counters->set_global_load_sector_count(8 * warps);
    counters->set_global_load_ideal_sector_count(8 * warps);
    counters->set_global_store_request_count(warps);
    counters->set_global_store_sector_count(4 * warps);
    counters->set_global_store_ideal_sector_count(4 * warps);
    counters->set_global_load_bytes(8 * n);
    counters->set_global_store_bytes(4 * n);
    counters->set_global_unique_load_sector_count(8 * warps);
    counters->set_global_unique_store_sector_count(4 * warps);
    counters->set_branch_count(warps);
    counters->set_flop_fp32_count(2 * n);
  }

  const Answer answer_;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_TESTS_SERVER_FAKE_JUDGE_H_
