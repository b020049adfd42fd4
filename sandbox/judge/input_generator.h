#ifndef CUDAPERF_SANDBOX_JUDGE_INPUT_GENERATOR_H_
#define CUDAPERF_SANDBOX_JUDGE_INPUT_GENERATOR_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "cudaperf/reward/v1/task.pb.h"
#include "sandbox/judge/case_layout.h"
#include "sandbox/judge/random_stream.h"

namespace cudaperf::sandbox {

// True when work in hand should be dropped. Called often: costs microseconds.
using StopCheck = std::function<bool()>;

// Bytes of every parameter before a call, in parameter order: a scalar's value, a buffer's content; empty for OUT
// buffers. `call` tells fresh content of the same case apart. The task was validated; INVALID_ARGUMENT otherwise. ABORTED
// soon after `must_stop`, which may be absent, says so.
absl::StatusOr<std::vector<std::string>> GenerateInputs(const reward::v1::CudaTask& task,
                                                        const reward::v1::Case& test_case,
                                                        const std::vector<ParameterLayout>& layout, const Seed& seed,
                                                        absl::string_view task_id, int call,
                                                        const StopCheck& must_stop = {});

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_INPUT_GENERATOR_H_
