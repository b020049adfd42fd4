#ifndef CUDAPERF_SANDBOX_JUDGE_REFERENCE_H_
#define CUDAPERF_SANDBOX_JUDGE_REFERENCE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "sandbox/judge/call_buffers.h"
#include "sandbox/judge/case_draw.h"
#include "sandbox/judge/interruption.h"
#include "sandbox/judge/runner_session.h"
#include "sandbox/judge/worker_settings.h"

namespace cudaperf::sandbox {

// The task's own answer to given inputs.
class Reference {
 public:
  // Content of every OUT and INOUT buffer after a call, by parameter; the others are empty.
  using Outputs = std::vector<std::string>;

  virtual ~Reference() = default;

  // OUT buffers held `poison` before. FAILED_PRECONDITION when the reference crashes, hangs or cannot be called.
  virtual absl::StatusOr<Outputs> Run(const CaseDraw& draw, uint8_t poison) = 0;
};

// One that also runs while nobody waits for it.
class BackgroundReference : public Reference {
 public:
  // Starts a call and returns. Its result must be taken before the next Begin; Run may come in between.
  virtual absl::Status Begin(const CaseDraw& draw, uint8_t poison) = 0;

  // Readable when the call that was begun has ended; -1 when it has ended already.
  virtual int fd() const = 0;

  // When the call that was begun is late; never when it has ended already.
  virtual absl::Time deadline() const = 0;

  // Waits for the call that was begun, until its deadline; otherwise as Run.
  virtual absl::StatusOr<Outputs> End() = 0;

  // Instead of End: nobody wants the result, and what computes it ends.
  virtual void Abandon() = 0;
};

// The compiled C reference in a jailed runner, which is started when first needed, kept between calls, and replaced when
// it dies between them.
class JailedReference : public BackgroundReference {
 public:
  // `settings` and `interruption` are not owned; they outlive this. `shared_object`: ELF bytes.
  JailedReference(const WorkerSettings& settings, std::string shared_object, Interruption* interruption)
      : settings_(settings), shared_object_(std::move(shared_object)), interruption_(interruption) {}

  const std::string& shared_object() const { return shared_object_; }

  // How long each call may take from now on; above zero.
  void LimitCalls(absl::Duration limit) { call_limit_ = limit; }

  absl::StatusOr<Outputs> Run(const CaseDraw& draw, uint8_t poison) override;
  absl::Status Begin(const CaseDraw& draw, uint8_t poison) override;
  int fd() const override { return running_.has_value() ? runner_->fd() : -1; }
  absl::Time deadline() const override { return running_.has_value() ? running_->deadline : absl::InfiniteFuture(); }
  absl::StatusOr<Outputs> End() override;
  void Abandon() override;

 private:
  struct Call {
    CallBuffers buffers;
    absl::Time deadline;
  };

  absl::Status StartRunner();
  // Ends the running call. Anything but a return ends the runner too.
  absl::StatusOr<Outputs> Await();

  const WorkerSettings& settings_;
  const std::string shared_object_;
  Interruption* const interruption_;
  absl::Duration call_limit_ = absl::Seconds(20);
  std::unique_ptr<RunnerSession> runner_;
  std::optional<Call> running_;
  // Of a call that was begun, when a Run had to wait for its end.
  std::optional<absl::StatusOr<Outputs>> ended_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_REFERENCE_H_
