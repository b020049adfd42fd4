#ifndef CUDAPERF_SANDBOX_JUDGE_EXAMINATION_H_
#define CUDAPERF_SANDBOX_JUDGE_EXAMINATION_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cudaperf/worker/v1/judge.pb.h"
#include "sandbox/judge/case_source.h"
#include "sandbox/judge/device_pool.h"
#include "sandbox/judge/interruption.h"
#include "sandbox/judge/program_session.h"
#include "sandbox/task/launch_binding.h"

namespace cudaperf::sandbox {

// One program over the cases of a request. Each case is called twice, with fresh inputs, another poison and another
// order of warps, and both answers must be right; counters are the first call's. A worker of ours that dies is replaced
// twice.
class Examination {
 public:
  // Nothing is owned; everything outlives this.
  Examination(const worker::v1::ExamineRequest& request, CaseSource* source, DevicePool* pool,
              Interruption* interruption);

  // Results and rejection are in the response; a non-OK status is a fault of the task (FAILED_PRECONDITION), of the
  // request (INVALID_ARGUMENT), an interruption, or a fault of ours.
  absl::StatusOr<worker::v1::ExamineResponse> Run();

  // What is left of a run: workers and memory whose end takes milliseconds that an answer need not wait for.
  struct Remains {
    std::vector<FirstCall> calls;
    std::unique_ptr<ProgramSession> session;
  };
  std::unique_ptr<Remains> TakeRemains() {
    return std::make_unique<Remains>(Remains{std::move(calls_), std::move(session_)});
  }

 private:
  absl::Status CheckRequest() const;
  // Sets rejection_ when launches do not fit.
  void BindPlans();
  absl::Status StartSession();
  absl::StatusOr<reward::v1::CaseResult> RunCase(int case_index);
  absl::StatusOr<reward::v1::CaseResult> TryCase(int case_index);
  // Fills in the verdict of one call.
  void Judge(const CallOutcome& outcome, const CallBuffers& buffers, const CaseDraw& draw, int call,
             reward::v1::CaseResult& result);
  // Why a right answer cannot come from the device; empty when it can.
  std::string FindShortcut(const CallOutcome& outcome, const CaseDraw& draw) const;

  const worker::v1::ExamineRequest& request_;
  CaseSource* const source_;
  DevicePool* const pool_;
  Interruption* const interruption_;
  // By case index; device-only programs.
  std::vector<LaunchPlan> plans_;
  std::string rejection_;
  // Of cases that are done.
  std::vector<FirstCall> calls_;
  // Null before the first case and after one that used it up.
  std::unique_ptr<ProgramSession> session_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_EXAMINATION_H_
