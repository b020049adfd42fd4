#include "sandbox/task/task_validation.h"

#include <algorithm>
#include <set>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "sandbox/task/case_validation.h"
#include "sandbox/task/data_type.h"
#include "sandbox/task/expression.h"
#include "sandbox/task/field_error.h"
#include "sandbox/task/generator_validation.h"
#include "sandbox/task/identifier.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::Candidate;
using reward::v1::CudaTask;
using reward::v1::Parameter;
using reward::v1::Tolerance;

// One descriptor per buffer travels in a frame of at most 64.
constexpr int kMaxParameters = 48;
constexpr int kMaxCases = 256;
constexpr int kMaxLaunches = 1024;
constexpr int64_t kMaxReferenceBytes = int64_t{1} << 20;

absl::Status ValidateName(absl::string_view name) {
  const bool is_clean = std::all_of(name.begin(), name.end(), [](char c) {
    return absl::ascii_islower(c) || absl::ascii_isdigit(c) || c == '_' || c == '-';
  });
  if (name.size() <= 64 && is_clean) return absl::OkStatus();
  return FieldError("name", "must be at most 64 of lower case letters, digits, '_' and '-'");
}

absl::Status ValidateTolerance(const Tolerance& tolerance, absl::string_view path) {
  // Written so that NaN fails.
  if (tolerance.has_relative() && !(tolerance.relative() >= 0 && tolerance.relative() < 1)) {
    return FieldError(absl::StrCat(path, ".relative"), "must be a number in [0, 1)");
  }
  if (tolerance.has_scaled() && !(tolerance.scaled() >= 0 && tolerance.scaled() < 1)) {
    return FieldError(absl::StrCat(path, ".scaled"), "must be a number in [0, 1)");
  }
  return absl::OkStatus();
}

absl::Status ValidateExpression(absl::string_view text, absl::string_view path) {
  const absl::StatusOr<Expression> expression = Expression::Parse(text);
  return expression.ok() ? absl::OkStatus() : FieldError(path, expression.status().message());
}

absl::Status ValidateSource(absl::string_view source, int64_t max_bytes, absl::string_view path) {
  if (absl::StripAsciiWhitespace(source).empty()) return FieldError(path, "is empty");
  if (static_cast<int64_t>(source.size()) > max_bytes) {
    return FieldError(path, absl::StrCat("has ", source.size(), " bytes, the limit is ", max_bytes));
  }
  if (source.find('\0') != absl::string_view::npos) return FieldError(path, "contains a NUL byte");
  if (!IsUtf8(source)) return FieldError(path, "is not UTF-8");
  return absl::OkStatus();
}

// Value or generator, one of them, where the parameter needs one.
absl::Status ValidateFilling(const Parameter& parameter, const CudaTask& task, absl::string_view path) {
  const bool has_value = parameter.has_scalar() && !parameter.scalar().value().empty();
  const bool is_output = parameter.has_buffer() && parameter.buffer().direction() == reward::v1::DIRECTION_OUT;
  if (parameter.has_generator()) {
    if (has_value) return FieldError(path, "has a value and a generator: remove one of the two");
    if (is_output)
      return FieldError(absl::StrCat(path, ".generator"), "an OUT buffer is poisoned, not filled: remove it");
    return ValidateGenerator(parameter.generator(), parameter.dtype(), absl::StrCat(path, ".generator"));
  }
  if (has_value || is_output) return absl::OkStatus();
  for (const reward::v1::Case& test_case : task.cases()) {
    if (GeneratorOf(parameter, test_case) == nullptr) {
      return FieldError(absl::StrCat(path, ".generator"),
                        absl::StrCat("is missing: nothing fills ", parameter.name(), " in case ", test_case.name()));
    }
  }
  return absl::OkStatus();
}

absl::Status ValidateParameter(const Parameter& parameter, const CudaTask& task, const std::string& path) {
  if (!IsIdentifier(parameter.name())) {
    return FieldError(absl::StrCat(path, ".name"), "must be a C identifier of at most 64 characters, not a keyword");
  }
  if (ElementSize(parameter.dtype()) == 0) return FieldError(absl::StrCat(path, ".dtype"), "is missing or unknown");
  switch (parameter.shape_case()) {
    case Parameter::kScalar:
      if (!parameter.scalar().value().empty()) {
        absl::Status status = ValidateExpression(parameter.scalar().value(), absl::StrCat(path, ".scalar.value"));
        if (!status.ok()) return status;
      }
      break;
    case Parameter::kBuffer: {
      const auto direction = parameter.buffer().direction();
      if (direction < reward::v1::DIRECTION_IN || direction > reward::v1::DIRECTION_INOUT) {
        return FieldError(absl::StrCat(path, ".buffer.direction"), "must be IN, OUT or INOUT");
      }
      absl::Status status = ValidateExpression(parameter.buffer().extent(), absl::StrCat(path, ".buffer.extent"));
      if (!status.ok()) return status;
      break;
    }
    case Parameter::SHAPE_NOT_SET:
      return FieldError(path, "must have scalar or buffer");
  }
  if (absl::Status status = ValidateTolerance(parameter.tolerance(), absl::StrCat(path, ".tolerance")); !status.ok()) {
    return status;
  }
  return ValidateFilling(parameter, task, path);
}

absl::Status ValidateParameters(const CudaTask& task) {
  if (task.parameters_size() == 0 || task.parameters_size() > kMaxParameters) {
    return FieldError("cuda.parameters", absl::StrCat("must be 1 to ", kMaxParameters));
  }
  std::set<absl::string_view> names;
  bool has_output = false;
  for (int i = 0; i < task.parameters_size(); ++i) {
    const Parameter& parameter = task.parameters(i);
    const std::string path = absl::StrCat("cuda.parameters[", i, "]");
    if (absl::Status status = ValidateParameter(parameter, task, path); !status.ok()) return status;
    if (!names.insert(parameter.name()).second) {
      return FieldError(absl::StrCat(path, ".name"),
                        absl::StrCat(parameter.name(), " is taken by an earlier parameter"));
    }
    if (parameter.name() == task.entry_point()) {
      return FieldError(absl::StrCat(path, ".name"), "is the entry point's name: choose another");
    }
    has_output |= parameter.has_buffer() && parameter.buffer().direction() != reward::v1::DIRECTION_IN;
  }
  if (!has_output)
    return FieldError("cuda.parameters", "need at least one OUT or INOUT buffer: nothing would be checked");
  return absl::OkStatus();
}

absl::Status ValidateCases(const CudaTask& task, int64_t memory_limit_bytes) {
  if (task.cases_size() > kMaxCases) return FieldError("cuda.cases", absl::StrCat("must be at most ", kMaxCases));
  std::set<absl::string_view> names;
  bool has_screen = false;
  bool has_model = false;
  for (int i = 0; i < task.cases_size(); ++i) {
    const reward::v1::Case& test_case = task.cases(i);
    const std::string path = absl::StrCat("cuda.cases[", i, "]");
    if (test_case.name().empty() || test_case.name().size() > 64 || !IsUtf8(test_case.name())) {
      return FieldError(absl::StrCat(path, ".name"), "must have 1 to 64 bytes");
    }
    if (!names.insert(test_case.name()).second) {
      return FieldError(absl::StrCat(path, ".name"), absl::StrCat(test_case.name(), " is taken by an earlier case"));
    }
    if (test_case.role() < reward::v1::CASE_ROLE_SCREEN || test_case.role() > reward::v1::CASE_ROLE_FULL) {
      return FieldError(absl::StrCat(path, ".role"), "must be SCREEN, MODEL or FULL");
    }
    has_screen |= test_case.role() == reward::v1::CASE_ROLE_SCREEN;
    has_model |= test_case.role() == reward::v1::CASE_ROLE_MODEL;
    if (absl::Status status = ValidateCase(task, test_case, memory_limit_bytes, path); !status.ok()) return status;
  }
  if (!has_screen) return FieldError("cuda.cases", "need at least one with role CASE_ROLE_SCREEN");
  if (!has_model) return FieldError("cuda.cases", "need at least one with role CASE_ROLE_MODEL");
  return absl::OkStatus();
}

absl::Status ValidateLaunch(const reward::v1::Launch& launch, const std::string& path) {
  if (launch.kernel().empty()) return FieldError(absl::StrCat(path, ".kernel"), "is missing");
  const auto check_dimensions = [&path](const auto& dimensions, absl::string_view field) -> absl::Status {
    if (dimensions.empty() || dimensions.size() > 3) {
      return FieldError(absl::StrCat(path, ".", field), "must have one to three expressions");
    }
    for (int i = 0; i < dimensions.size(); ++i) {
      absl::Status status = ValidateExpression(dimensions.Get(i), absl::StrCat(path, ".", field, "[", i, "]"));
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  };
  if (absl::Status status = check_dimensions(launch.grid(), "grid"); !status.ok()) return status;
  if (absl::Status status = check_dimensions(launch.block(), "block"); !status.ok()) return status;
  if (!launch.dynamic_shared_bytes().empty()) {
    const std::string field = absl::StrCat(path, ".dynamic_shared_bytes");
    if (absl::Status status = ValidateExpression(launch.dynamic_shared_bytes(), field); !status.ok()) return status;
  }
  for (int i = 0; i < launch.arguments_size(); ++i) {
    absl::Status status = ValidateExpression(launch.arguments(i), absl::StrCat(path, ".arguments[", i, "]"));
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status ValidateCandidateAt(const Candidate& candidate, int64_t max_source_bytes, absl::string_view path) {
  absl::Status status = ValidateSource(candidate.source(), max_source_bytes, absl::StrCat(path, ".source"));
  if (!status.ok()) return status;
  if (candidate.kind() < reward::v1::CANDIDATE_KIND_UNSPECIFIED ||
      candidate.kind() > reward::v1::CANDIDATE_KIND_LAUNCHER) {
    return FieldError(absl::StrCat(path, ".kind"), "must be DEVICE_ONLY or LAUNCHER, or left out");
  }
  if (candidate.launches_size() > kMaxLaunches || candidate.scratch_size() > kMaxLaunches) {
    return FieldError(absl::StrCat(path, ".launches"), absl::StrCat("must be at most ", kMaxLaunches));
  }
  for (int i = 0; i < candidate.launches_size(); ++i) {
    status = ValidateLaunch(candidate.launches(i), absl::StrCat(path, ".launches[", i, "]"));
    if (!status.ok()) return status;
  }
  for (int i = 0; i < candidate.scratch_size(); ++i) {
    const reward::v1::Scratch& scratch = candidate.scratch(i);
    const std::string scratch_path = absl::StrCat(path, ".scratch[", i, "]");
    if (!IsIdentifier(scratch.name())) return FieldError(absl::StrCat(scratch_path, ".name"), "must be a C identifier");
    if (ElementSize(scratch.dtype()) == 0)
      return FieldError(absl::StrCat(scratch_path, ".dtype"), "is missing or unknown");
    status = ValidateExpression(scratch.extent(), absl::StrCat(scratch_path, ".extent"));
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ValidateTask(const reward::v1::Task& task, int64_t case_memory_limit_bytes) {
  if (absl::Status status = ValidateName(task.name()); !status.ok()) return status;
  if (!task.has_cuda()) return FieldError("cuda", "is missing: a task needs a kind");
  const CudaTask& cuda = task.cuda();
  absl::Status status = ValidateSource(cuda.reference_source(), kMaxReferenceBytes, "cuda.reference_source");
  if (!status.ok()) return status;
  if (!IsIdentifier(cuda.entry_point())) {
    return FieldError("cuda.entry_point", "must be a C identifier of at most 64 characters, not a keyword");
  }
  if (cuda.memory_space() < reward::v1::MEMORY_SPACE_UNSPECIFIED ||
      cuda.memory_space() > reward::v1::MEMORY_SPACE_HOST) {
    return FieldError("cuda.memory_space", "must be DEVICE or HOST");
  }
  if (status = ValidateTolerance(cuda.tolerance(), "cuda.tolerance"); !status.ok()) return status;
  if (status = ValidateParameters(cuda); !status.ok()) return status;
  if (status = ValidateCases(cuda, case_memory_limit_bytes); !status.ok()) return status;
  if (!cuda.has_baseline()) return FieldError("cuda.baseline", "is missing: speed is measured against it");
  if (cuda.memory_space() == reward::v1::MEMORY_SPACE_HOST &&
      cuda.baseline().kind() == reward::v1::CANDIDATE_KIND_DEVICE_ONLY) {
    return FieldError("cuda.baseline.kind", "must be LAUNCHER where memory_space is HOST");
  }
  return ValidateCandidateAt(cuda.baseline(), kMaxReferenceBytes, "cuda.baseline");
}

absl::Status ValidateCandidate(const Candidate& candidate, int64_t max_source_bytes) {
  return ValidateCandidateAt(candidate, max_source_bytes, "candidate");
}

}  // namespace cudaperf::sandbox
