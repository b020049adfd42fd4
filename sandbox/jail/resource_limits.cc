#include "sandbox/jail/resource_limits.h"

#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace cudaperf::sandbox {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// Processes and threads that the calling user already has: the kernel counts per user, not per tree.
int64_t CountThreadsOfUser() {
  int64_t count = 0;
  DIR* processes = opendir("/proc");
  if (processes == nullptr) return 0;
  while (const dirent* process = readdir(processes)) {
    if (process->d_name[0] < '0' || process->d_name[0] > '9') continue;
    const std::string tasks = std::string("/proc/") + process->d_name + "/task";
    struct stat entry;
    if (stat(tasks.c_str(), &entry) == 0 && entry.st_uid == getuid()) count += entry.st_nlink - 2;
  }
  closedir(processes);
  return count;
}

bool Set(int resource, int64_t soft, int64_t hard) {
  rlimit current;
  if (getrlimit(static_cast<__rlimit_resource>(resource), &current) != 0) return false;
  // Never above what we ourselves were given.
  const rlim_t top = std::min<rlim_t>(static_cast<rlim_t>(hard), current.rlim_max);
  const rlimit limit{.rlim_cur = std::min<rlim_t>(static_cast<rlim_t>(soft), top), .rlim_max = top};
  return setrlimit(static_cast<__rlimit_resource>(resource), &limit) == 0;
}

bool Set(int resource, int64_t limit) { return Set(resource, limit, limit); }

}  // namespace

bool ApplyResourceLimits(const JailPlan& plan) {
  // Twice the memory limit: resident memory meets its limit first, and that death can be told from a crash.
  constexpr int64_t kLargest = int64_t{1} << 46;
  const int64_t address_space = std::min(plan.memory_bytes, kLargest) * 2;
  // Of one process; the supervisor, who watches the tree's, comes first.
  const int64_t cpu_seconds = plan.cpu_ms / 1000 + 2;
  const bool shares_user = plan.user == 0 && !plan.full && getuid() != 0;
  const int64_t processes = plan.process_count + (shares_user ? CountThreadsOfUser() : 0);
  // The CUDA driver reserves far more than it uses.
  const bool is_bounded = !kSanitized && plan.device_paths.empty();
  return (!is_bounded || Set(RLIMIT_AS, address_space)) && Set(RLIMIT_FSIZE, plan.file_bytes) && Set(RLIMIT_CORE, 0) &&
         Set(RLIMIT_NOFILE, kDescriptorLimit) && Set(RLIMIT_CPU, cpu_seconds) && Set(RLIMIT_MEMLOCK, 0) &&
         Set(RLIMIT_MSGQUEUE, 0) && Set(RLIMIT_NICE, 0) && Set(RLIMIT_RTPRIO, 0) && Set(RLIMIT_SIGPENDING, 64) &&
         // The supervising processes of the jail count too.
         Set(RLIMIT_NPROC, processes + 3);
}

}  // namespace cudaperf::sandbox
