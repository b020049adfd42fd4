#ifndef CUDAPERF_SANDBOX_TASK_LAUNCH_BINDING_H_
#define CUDAPERF_SANDBOX_TASK_LAUNCH_BINDING_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "cudaperf/reward/v1/report.pb.h"
#include "cudaperf/reward/v1/task.pb.h"
#include "sandbox/task/launch_directive.h"

namespace cudaperf::sandbox {

// Where the value of one kernel parameter comes from.
struct BoundArgument {
  enum class Source {
    kBuffer,   // device address of task parameter `index`; null when it has no elements
    kScalar,   // value of task parameter `index`, converted to `type`
    kScratch,  // device address of scratch buffer `index`
    kValue,    // `bytes`
  };
  Source source = Source::kValue;
  int index = 0;
  // PTX type of the kernel's parameter, e.g. `u32`.
  std::string type;
  std::string bytes;
};

// One launch with every number known.
struct BoundLaunch {
  std::string kernel;  // name in the object
  std::array<int64_t, 3> grid{1, 1, 1};
  std::array<int64_t, 3> block{1, 1, 1};
  int64_t dynamic_shared_bytes = 0;
  std::vector<BoundArgument> arguments;
};

struct LaunchPlan {
  std::vector<BoundLaunch> launches;
  // Per scratch buffer, in the description's order.
  std::vector<int64_t> scratch_bytes;
};

// Resolves a launch description against the kernels that were compiled and one case. INVALID_ARGUMENT carries one
// sentence about the candidate (OUTCOME_REJECTED) that says what was found, e.g. `kernel saxpy takes (u32, f32, u64,
// u64), 5 arguments were given`. A kernel is named exactly as in the object, or by its C++ name where only one kernel
// has it.
absl::StatusOr<LaunchPlan> BindLaunches(const reward::v1::CudaTask& task, const reward::v1::Case& test_case,
                                        const LaunchDescription& description,
                                        absl::Span<const reward::v1::KernelResources> kernels);

// BindLaunches over all cases of the task: the check to make before anything runs.
absl::Status CheckLaunches(const reward::v1::CudaTask& task, const LaunchDescription& description,
                           absl::Span<const reward::v1::KernelResources> kernels);

// The bytes of a scalar of `type` (whose own bytes are `value`) as a kernel parameter of PTX type `ptx_type`, converted
// as C does. INVALID_ARGUMENT when there is no such conversion.
absl::StatusOr<std::string> ConvertScalar(absl::string_view value, reward::v1::DataType type,
                                          absl::string_view ptx_type);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_TASK_LAUNCH_BINDING_H_
