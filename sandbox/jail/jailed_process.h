#ifndef CUDAPERF_SANDBOX_JAIL_JAILED_PROCESS_H_
#define CUDAPERF_SANDBOX_JAIL_JAILED_PROCESS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "cudaperf/reward/v1/evaluation.pb.h"
#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {

// Bounds on a jailed process tree. Every one is enforced; zero is refused, never "for ever".
struct JailLimits {
  absl::Duration wall_time = absl::Seconds(60);
  // Processor time of the tree, of those that have ended too; not given: what all cores spend in `wall_time`.
  std::optional<absl::Duration> cpu_time;
  int64_t memory_bytes = int64_t{4} << 30;  // resident memory of the tree; a process may reserve twice that
  int64_t file_bytes = int64_t{256} << 20;  // largest file
  int process_count = 64;                   // processes and threads
  int64_t scratch_bytes = int64_t{512} << 20;
};

// What runs, and what it may see.
struct JailOptions {
  reward::v1::SandboxLevel level = reward::v1::SANDBOX_LEVEL_FULL;
  // Absolute path of the program first.
  std::vector<std::string> argv;
  // The whole environment: nothing is inherited.
  std::vector<std::string> environment;
  // {ours, theirs}: descriptors the program gets; all others are closed. 0, 1, 2 are /dev/null unless named.
  std::vector<std::pair<int, int>> descriptors;
  // Files and folders visible and readable, executable too; system libraries are always there.
  std::vector<std::string> readable_paths;
  // True: may create processes (nvcc). False: threads only.
  enum class Forking { kForbidden, kAllowed } forking = Forking::kForbidden;
  // A fresh folder, the program's working directory and the only writable place; empty: none at all.
  enum class Scratch { kNone, kPrivate } scratch = Scratch::kNone;
  // Nodes below /dev that the program may open, read, write and control: a GPU's. With any, the program may also make
  // anonymous memory files, name its threads and reserve address space without limit, as the CUDA driver does.
  std::vector<std::string> device_paths;
  JailLimits limits;
};

// How a jailed process tree ended. Always about the program, never about us.
struct ProcessEnd {
  enum class Cause { kExited, kSignaled, kKilledByUs, kWallTime, kMemory, kCpuTime };
  Cause cause = Cause::kExited;
  int exit_code = 0;  // kExited
  int signal = 0;     // kSignaled
};

// One process tree in a jail, under a supervisor of ours that outlives and reaps every descendant. Destroying the
// object kills the tree and waits until nothing of it is left. Thread-compatible.
class JailedProcess {
 public:
  // Starts `options.argv`. FAILED_PRECONDITION when the machine does not allow the level, INTERNAL otherwise.
  static absl::StatusOr<std::unique_ptr<JailedProcess>> Start(const JailOptions& options);

  // Best level this machine allows, found by trying.
  static reward::v1::SandboxLevel BestLevel();

  virtual ~JailedProcess() = default;

  // Waits for the tree's end. DEADLINE_EXCEEDED when it still runs.
  virtual absl::StatusOr<ProcessEnd> Wait(absl::Time deadline) = 0;

  // Kills the whole tree and returns when it is reaped (at most 250 ms p99).
  virtual ProcessEnd Kill() = 0;

  // Processor time of the tree so far, all threads', to the nanosecond; as the kernel tells it, not the tree. Of what
  // has ended it knows nothing: zero after the end.
  virtual absl::Duration ProcessorTime() const = 0;

  // Readable (poll) once the tree has ended.
  virtual int end_fd() const = 0;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JAIL_JAILED_PROCESS_H_
