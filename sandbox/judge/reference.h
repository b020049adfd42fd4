#ifndef CUDAPERF_SANDBOX_JUDGE_REFERENCE_H_
#define CUDAPERF_SANDBOX_JUDGE_REFERENCE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "sandbox/judge/case_draw.h"
#include "sandbox/judge/interruption.h"
#include "sandbox/judge/runner_session.h"
#include "sandbox/judge/worker_settings.h"

namespace cudaperf::sandbox {

// The task's own answer to given inputs.
class Reference {
 public:
  virtual ~Reference() = default;

  // Content of every OUT and INOUT buffer after the call, by parameter; the others are empty. OUT buffers held `poison`
  // before. FAILED_PRECONDITION when the reference crashes, hangs or cannot be called.
  virtual absl::StatusOr<std::vector<std::string>> Run(const CaseDraw& draw, uint8_t poison) = 0;
};

// Runs the compiled C reference in a jailed runner, started when first needed.
class JailedReference : public Reference {
 public:
  // Pointers are not owned and outlive this; so do the settings and the bytes of the shared object.
  JailedReference(const WorkerSettings& settings, absl::string_view shared_object, Interruption* interruption)
      : settings_(settings), shared_object_(shared_object), interruption_(interruption) {}

  absl::StatusOr<std::vector<std::string>> Run(const CaseDraw& draw, uint8_t poison) override;

 private:
  const WorkerSettings& settings_;
  const absl::string_view shared_object_;
  Interruption* const interruption_;
  std::unique_ptr<RunnerSession> runner_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_REFERENCE_H_
