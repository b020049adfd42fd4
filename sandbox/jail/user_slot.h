#ifndef CUDAPERF_SANDBOX_JAIL_USER_SLOT_H_
#define CUDAPERF_SANDBOX_JAIL_USER_SLOT_H_

#include <cstdint>

#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {

// A user id that no other jail of this machine holds, for as long as this lives: its process count, its signals and its
// files are then one jail's alone. Held by the name of an abstract socket, which the kernel frees with the process:
// nothing to clean up after a crash. Only root has any to give.
class UserSlot {
 public:
  // Top of the range that Debian leaves to people, below the ones that distributions and systemd hand out.
  static constexpr int64_t kFirst = 58000;
  static constexpr int64_t kCount = 1500;

  // A slot; user 0 when not root or when all are taken.
  static UserSlot Take();

  int64_t user() const { return user_; }

 private:
  UniqueFd claim_;
  int64_t user_ = 0;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JAIL_USER_SLOT_H_
