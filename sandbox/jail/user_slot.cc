#include "sandbox/jail/user_slot.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <string>

namespace cudaperf::sandbox {

UserSlot UserSlot::Take() {
  UserSlot slot;
  if (geteuid() != 0) return slot;
  // Starters spread out by process id, so that the first try nearly always succeeds.
  const int64_t start = getpid() % kCount;
  for (int64_t i = 0; i < kCount; ++i) {
    const int64_t user = kFirst + (start + i) % kCount;
    UniqueFd claim(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    sockaddr_un name{.sun_family = AF_UNIX, .sun_path = {}};
    const std::string text = "cudaperf-jail-user-" + std::to_string(user);
    std::memcpy(name.sun_path + 1, text.data(), text.size());
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
    if (!claim.valid() || bind(claim.get(), reinterpret_cast<sockaddr*>(&name), size) != 0) continue;
    slot.claim_ = std::move(claim);
    slot.user_ = user;
    return slot;
  }
  return slot;
}

}  // namespace cudaperf::sandbox
