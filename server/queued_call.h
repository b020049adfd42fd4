#ifndef CUDAPERF_SERVER_QUEUED_CALL_H_
#define CUDAPERF_SERVER_QUEUED_CALL_H_

#include <cstdint>
#include <functional>
#include <stop_token>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/server_callback.h"
#include "sandbox/worker/call_scope.h"
#include "server/work_queue.h"

namespace cudaperf::server {

// One RPC that needs a slot. gRPC's thread submits the work and returns; a slot does it and answers. The caller's
// deadline and cancellation reach the work through its scope; work still queued is withdrawn at once. Deletes itself
// when gRPC is done with it.
class QueuedCall : public grpc::ServerUnaryReactor {
 public:
  // Fills in the response that gRPC holds for this call. `waited` is the time in the queue.
  using Work = std::function<absl::Status(const sandbox::CallScope& scope, absl::Duration waited)>;
  // Told how the call ended, before the caller is.
  using Observer = std::function<void(const absl::Status&)>;

  // Not owned: queue and context outlive the call. `stop_all` ends every call (the end of draining).
  QueuedCall(WorkQueue* queue, grpc::CallbackServerContext* context, std::stop_token stop_all, Observer observer);

  // Exactly one of these is called, once.
  void FinishNow(const absl::Status& status);
  void Enqueue(Work work);

  void OnCancel() override;
  void OnDone() override { delete this; }

 private:
  void Run(const Work& work, absl::Duration waited);
  absl::Time Deadline() const;
  absl::Status Explain(const absl::Status& status) const;
  void FinishWith(const absl::Status& status);

  WorkQueue* const queue_;
  grpc::CallbackServerContext* const context_;
  const Observer observer_;
  const std::stop_token stop_all_;
  std::stop_source stop_;
  // Ends this call with all others.
  std::stop_callback<std::function<void()>> on_stop_all_;
  absl::Mutex mutex_;
  int64_t ticket_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_QUEUED_CALL_H_
