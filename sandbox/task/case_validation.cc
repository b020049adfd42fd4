#include "sandbox/task/case_validation.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "sandbox/task/data_type.h"
#include "sandbox/task/expression.h"
#include "sandbox/task/field_error.h"
#include "sandbox/task/generator_validation.h"
#include "sandbox/task/identifier.h"
#include "sandbox/task/sizes.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::Case;
using reward::v1::CudaTask;
using reward::v1::Parameter;

constexpr int64_t kMaxSize = int64_t{1} << 40;

absl::Status ValidateSizes(const Case& test_case, absl::string_view path) {
  for (const auto& [name, value] : test_case.sizes()) {
    const std::string size_path = absl::StrCat(path, ".sizes[", name, "]");
    if (!IsIdentifier(name)) return FieldError(size_path, "must be named by a C identifier");
    if (value < 0 || value > kMaxSize) return FieldError(size_path, absl::StrCat("is ", value, "; must be 0 .. 2^40"));
  }
  return absl::OkStatus();
}

// Value of an expression that belongs to a parameter; the error names both the field and the case.
absl::StatusOr<int64_t> Evaluate(absl::string_view text, const Case& test_case, absl::string_view field) {
  const Sizes sizes = CaseSizes(test_case);
  const absl::StatusOr<Expression> expression = Expression::Parse(text);
  if (!expression.ok()) return FieldError(field, expression.status().message());
  for (const std::string& name : expression->names()) {
    if (sizes.contains(name)) continue;
    std::vector<std::string> known;
    for (const auto& [size, value] : sizes) known.push_back(size);
    return FieldError(field, absl::StrCat("unknown size ", name, "; case ", test_case.name(), " has ",
                                          known.empty() ? "none" : absl::StrJoin(known, ", ")));
  }
  absl::StatusOr<int64_t> value = expression->Evaluate(sizes);
  if (!value.ok()) return FieldError(field, absl::StrCat(value.status().message(), " in case ", test_case.name()));
  return value;
}

absl::Status ValidateOverrides(const CudaTask& task, const Case& test_case, absl::string_view path) {
  for (const auto& [name, generator] : test_case.generators()) {
    const std::string field = absl::StrCat(path, ".generators[", name, "]");
    const auto parameter = std::find_if(task.parameters().begin(), task.parameters().end(),
                                        [&name = name](const Parameter& p) { return p.name() == name; });
    if (parameter == task.parameters().end()) return FieldError(field, "no parameter has this name");
    if (parameter->has_buffer() && parameter->buffer().direction() == reward::v1::DIRECTION_OUT) {
      return FieldError(field, "an OUT buffer is poisoned, not filled: remove the generator");
    }
    if (parameter->has_scalar() && !parameter->scalar().value().empty()) {
      return FieldError(field, "the scalar has a value: remove one of the two");
    }
    if (absl::Status status = ValidateGenerator(generator, parameter->dtype(), field); !status.ok()) return status;
  }
  return absl::OkStatus();
}

// Where the generator that counts was written.
std::string GeneratorPath(const Parameter& parameter, int index, const Case& test_case, absl::string_view case_path) {
  if (test_case.generators().contains(parameter.name())) {
    return absl::StrCat(case_path, ".generators[", parameter.name(), "]");
  }
  return absl::StrCat("cuda.parameters[", index, "].generator");
}

}  // namespace

absl::Status ValidateCase(const CudaTask& task, const Case& test_case, int64_t memory_limit_bytes,
                          absl::string_view path) {
  if (absl::Status status = ValidateSizes(test_case, path); !status.ok()) return status;
  if (absl::Status status = ValidateOverrides(task, test_case, path); !status.ok()) return status;
  int64_t total_bytes = 0;
  for (int i = 0; i < task.parameters_size(); ++i) {
    const Parameter& parameter = task.parameters(i);
    int64_t extent = 1;
    if (parameter.has_scalar() && !parameter.scalar().value().empty()) {
      const auto value =
          Evaluate(parameter.scalar().value(), test_case, absl::StrCat("cuda.parameters[", i, "].scalar.value"));
      if (!value.ok()) return value.status();
      continue;
    }
    if (parameter.has_buffer()) {
      const std::string field = absl::StrCat("cuda.parameters[", i, "].buffer.extent");
      const absl::StatusOr<int64_t> count = Evaluate(parameter.buffer().extent(), test_case, field);
      if (!count.ok()) return count.status();
      if (*count < 0)
        return FieldError(field, absl::StrCat("is ", *count, " in case ", test_case.name(), "; must be at least 0"));
      extent = *count;
      int64_t bytes = 0;
      if (__builtin_mul_overflow(extent, ElementSize(parameter.dtype()), &bytes) ||
          __builtin_add_overflow(total_bytes, bytes, &total_bytes) || total_bytes > memory_limit_bytes) {
        return FieldError(path, absl::StrCat("buffers of case ", test_case.name(), " need more than the ",
                                             memory_limit_bytes, " bytes that a case may use: make its sizes smaller"));
      }
    }
    const reward::v1::Generator* generator = GeneratorOf(parameter, test_case);
    if (generator == nullptr) continue;  // an OUT buffer: the parameters were checked
    absl::Status status = ValidateGeneratorInCase(*generator, parameter, extent, task, test_case,
                                                  GeneratorPath(parameter, i, test_case, path));
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace cudaperf::sandbox
