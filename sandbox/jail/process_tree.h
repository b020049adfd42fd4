#ifndef CUDAPERF_SANDBOX_JAIL_PROCESS_TREE_H_
#define CUDAPERF_SANDBOX_JAIL_PROCESS_TREE_H_

#include <sys/types.h>

#include <cstdint>

namespace cudaperf::sandbox {

// What the descendants of the calling process use together.
struct TreeUsage {
  // Resident memory, anonymous and shared; pages of files on disk do not count.
  int64_t resident_bytes = 0;
  // Processor time, including that of children which the caller or they themselves have reaped.
  int64_t cpu_ms = 0;
  int64_t process_count = 0;
};
TreeUsage MeasureDescendants();

// Kills every descendant of the calling process, which must be single-threaded and a child subreaper, and returns when
// all are reaped. `user`: also everything that runs as this user, which a fork bomb cannot outrun; 0 for none. Tells
// how `program` ended, if it was among them.
struct ReapedProgram {
  bool seen = false;
  int status = 0;
};
ReapedProgram KillAndReapDescendants(int64_t user, pid_t program);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JAIL_PROCESS_TREE_H_
