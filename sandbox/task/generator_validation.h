#ifndef CUDAPERF_SANDBOX_TASK_GENERATOR_VALIDATION_H_
#define CUDAPERF_SANDBOX_TASK_GENERATOR_VALIDATION_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "cudaperf/reward/v1/task.pb.h"
#include "sandbox/task/sizes.h"

namespace cudaperf::sandbox {

// The generator that fills `parameter` in a case: the case's own, else the parameter's; null when there is none.
const reward::v1::Generator* GeneratorOf(const reward::v1::Parameter& parameter, const reward::v1::Case& test_case);

// What does not depend on sizes: numbers finite and in order, expressions that parse, a kind that fits `type`.
absl::Status ValidateGenerator(const reward::v1::Generator& generator, reward::v1::DataType type,
                               absl::string_view path);

// What does: ranges that fit the type, sparse structures that fit together. `extent` is the buffer's, 1 for a scalar.
absl::Status ValidateGeneratorInCase(const reward::v1::Generator& generator, const reward::v1::Parameter& parameter,
                                     int64_t extent, const reward::v1::CudaTask& task,
                                     const reward::v1::Case& test_case, absl::string_view path);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_TASK_GENERATOR_VALIDATION_H_
