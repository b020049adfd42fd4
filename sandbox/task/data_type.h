#ifndef CUDAPERF_SANDBOX_TASK_DATA_TYPE_H_
#define CUDAPERF_SANDBOX_TASK_DATA_TYPE_H_

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "cudaperf/reward/v1/task.pb.h"

namespace cudaperf::sandbox {

// Bytes of one element; 0 for DATA_TYPE_UNSPECIFIED.
int64_t ElementSize(reward::v1::DataType type);

bool IsFloatingPoint(reward::v1::DataType type);

// The C or CUDA spelling, such as `unsigned int`; float16 is `__half` for CUDA, `_Float16` for C.
enum class Dialect { kCuda, kC };
absl::string_view TypeName(reward::v1::DataType type, Dialect dialect);

// Reads the spellings that people use for an element type: `float`, `unsigned`, `int32_t`, `__half`, `half`, ...
std::optional<reward::v1::DataType> DataTypeFromName(absl::string_view name);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_TASK_DATA_TYPE_H_
