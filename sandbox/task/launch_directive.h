#ifndef CUDAPERF_SANDBOX_TASK_LAUNCH_DIRECTIVE_H_
#define CUDAPERF_SANDBOX_TASK_LAUNCH_DIRECTIVE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "cudaperf/reward/v1/task.pb.h"

namespace cudaperf::sandbox {

// What a device-only candidate launches, in order, and the device memory it needs besides the task's buffers.
struct LaunchDescription {
  std::vector<reward::v1::Launch> launches;
  std::vector<reward::v1::Scratch> scratch;
};

// Reads the `// cudaperf:` comments of a source:
//   // cudaperf: launch saxpy<<<ceil_div(n, 256), 256>>>(n, a, x, y)
//   // cudaperf: launch tile<<<(ceil_div(n, 32), n), dim3(32, 8), 4096>>>(n, x, y)
//   // cudaperf: scratch float partial[ceil_div(n, 256)]
// The shared memory size and the argument list may be missing. No such comment: an empty description. INVALID_ARGUMENT
// with the line for one that does not parse: that is the candidate's fault, OUTCOME_REJECTED.
absl::StatusOr<LaunchDescription> ParseLaunchDirectives(absl::string_view source);

// The description that counts: the candidate's own fields where it has launches, else its source's comments.
absl::StatusOr<LaunchDescription> DescribeLaunches(const reward::v1::Candidate& candidate);

// The kind of a candidate that does not say: a launcher if the source defines a host function named `entry_point`, else
// device-only if it has `cudaperf: launch` comments or no `<<<` in its code.
reward::v1::CandidateKind DetectKind(absl::string_view source, absl::string_view entry_point);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_TASK_LAUNCH_DIRECTIVE_H_
