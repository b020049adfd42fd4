#include "clients/cli/progress.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <utility>

namespace cudaperf::clients {

Progress::Progress(std::string what) : what_(std::move(what)) {
  if (isatty(STDERR_FILENO) != 0) drawer_ = std::thread([this] { Draw(); });
}

Progress::~Progress() {
  if (!drawer_.joinable()) return;
  {
    std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  over_.notify_one();
  drawer_.join();
  std::fputs("\r\033[K", stderr);
}

void Progress::Draw() {
  const auto started_at = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  while (!over_.wait_for(lock, std::chrono::milliseconds(200), [this] { return is_over_; })) {
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - started_at;
    std::fprintf(stderr, "\r\033[K%s ... %.1f s", what_.c_str(), waited.count());
    std::fflush(stderr);
  }
}

}  // namespace cudaperf::clients
