#include "sandbox/judge/case_layout.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "sandbox/task/data_type.h"
#include "sandbox/task/expression.h"

namespace cudaperf::sandbox {

absl::StatusOr<std::vector<ParameterLayout>> LayOutCase(const reward::v1::CudaTask& task,
                                                        const reward::v1::Case& test_case) {
  const Sizes sizes = CaseSizes(test_case);
  std::vector<ParameterLayout> layout;
  for (const reward::v1::Parameter& parameter : task.parameters()) {
    ParameterLayout entry{.dtype = parameter.dtype(), .is_buffer = parameter.has_buffer()};
    const int64_t element_size = ElementSize(parameter.dtype());
    if (element_size == 0) return absl::InvalidArgumentError(absl::StrCat(parameter.name(), " has no element type"));
    if (parameter.has_buffer()) {
      entry.direction = parameter.buffer().direction();
      const absl::StatusOr<int64_t> extent = EvaluateExpression(parameter.buffer().extent(), sizes);
      if (!extent.ok()) return extent.status();
      entry.element_count = *extent;
    }
    if (entry.element_count < 0 || __builtin_mul_overflow(entry.element_count, element_size, &entry.size_bytes)) {
      return absl::InvalidArgumentError(absl::StrCat(parameter.name(), " has ", entry.element_count, " elements"));
    }
    layout.push_back(entry);
  }
  return layout;
}

}  // namespace cudaperf::sandbox
