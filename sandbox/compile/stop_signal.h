#ifndef CUDAPERF_SANDBOX_COMPILE_STOP_SIGNAL_H_
#define CUDAPERF_SANDBOX_COMPILE_STOP_SIGNAL_H_

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <stop_token>

#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {

// A stop token as a descriptor that poll can wait for: readable once a stop was requested.
class StopSignal {
 public:
  explicit StopSignal(std::stop_token token)
      : event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), callback_(std::move(token), [this] {
          const uint64_t one = 1;
          [[maybe_unused]] ssize_t written = write(event_.get(), &one, sizeof(one));
        }) {}

  int fd() const { return event_.get(); }

 private:
  UniqueFd event_;
  std::stop_callback<std::function<void()>> callback_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_COMPILE_STOP_SIGNAL_H_
