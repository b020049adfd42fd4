#ifndef CUDAPERF_SANDBOX_WORKER_CALL_SCOPE_H_
#define CUDAPERF_SANDBOX_WORKER_CALL_SCOPE_H_

#include <stop_token>

#include "absl/time/time.h"

namespace cudaperf::sandbox {

// How long a call may take and who can end it early. A call that meets either returns DEADLINE_EXCEEDED or CANCELLED after
// its worker tree is dead.
struct CallScope {
  absl::Time deadline = absl::InfiniteFuture();
  std::stop_token stop;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_WORKER_CALL_SCOPE_H_
