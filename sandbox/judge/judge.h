#ifndef CUDAPERF_SANDBOX_JUDGE_JUDGE_H_
#define CUDAPERF_SANDBOX_JUDGE_JUDGE_H_

#include "absl/status/statusor.h"
#include "cudaperf/worker/v1/judge.pb.h"
#include "sandbox/worker/call_scope.h"

namespace cudaperf::sandbox {

// Holds the inputs and the expected outputs, runs programs on the device, and says which cases they got right.
class Judge {
 public:
  virtual ~Judge() = default;

  // Fills in `id`. A non-OK status is our fault or the scope's end; what the program did is in the response.
  virtual absl::StatusOr<worker::v1::ExamineResponse> Examine(worker::v1::ExamineRequest request,
                                                              const CallScope& scope) = 0;

  virtual absl::StatusOr<worker::v1::AdmitResponse> Admit(worker::v1::AdmitRequest request, const CallScope& scope) = 0;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_JUDGE_H_
