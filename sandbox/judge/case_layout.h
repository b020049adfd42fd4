#ifndef CUDAPERF_SANDBOX_JUDGE_CASE_LAYOUT_H_
#define CUDAPERF_SANDBOX_JUDGE_CASE_LAYOUT_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "cudaperf/reward/v1/task.pb.h"

namespace cudaperf::sandbox {

// One parameter of the entry point at one case's sizes.
struct ParameterLayout {
  reward::v1::DataType dtype = reward::v1::DATA_TYPE_UNSPECIFIED;
  bool is_buffer = false;
  // Buffers only.
  reward::v1::Direction direction = reward::v1::DIRECTION_UNSPECIFIED;
  // 1 for a scalar.
  int64_t element_count = 1;
  int64_t size_bytes = 0;

  bool is_input() const { return is_buffer && direction != reward::v1::DIRECTION_OUT; }
  bool is_output() const { return is_buffer && direction != reward::v1::DIRECTION_IN; }
};

// In parameter order. INVALID_ARGUMENT for a task that was not validated.
absl::StatusOr<std::vector<ParameterLayout>> LayOutCase(const reward::v1::CudaTask& task,
                                                        const reward::v1::Case& test_case);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_CASE_LAYOUT_H_
