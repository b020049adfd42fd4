#include "sandbox/task/generator_validation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "sandbox/task/data_type.h"
#include "sandbox/task/expression.h"
#include "sandbox/task/field_error.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::DataType;
using reward::v1::Generator;

// Largest magnitude that a type holds as a real number.
double LargestValue(DataType type) {
  switch (type) {
    case reward::v1::DATA_TYPE_FLOAT16:
      return 65504.0;
    case reward::v1::DATA_TYPE_FLOAT32:
      return std::numeric_limits<float>::max();
    default:
      return std::numeric_limits<double>::max();
  }
}

struct IntegerBounds {
  int64_t least;
  int64_t most;
};

// Every whole number between is held exactly; the top half of uint64 is left out.
IntegerBounds BoundsOf(DataType type) {
  switch (type) {
    case reward::v1::DATA_TYPE_INT8:
      return {-128, 127};
    case reward::v1::DATA_TYPE_UINT8:
      return {0, 255};
    case reward::v1::DATA_TYPE_INT32:
      return {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
    case reward::v1::DATA_TYPE_UINT32:
      return {0, std::numeric_limits<uint32_t>::max()};
    case reward::v1::DATA_TYPE_UINT64:
      return {0, std::numeric_limits<int64_t>::max()};
    case reward::v1::DATA_TYPE_FLOAT16:
      return {-2048, 2048};
    case reward::v1::DATA_TYPE_FLOAT32:
      return {-(1 << 24), 1 << 24};
    case reward::v1::DATA_TYPE_FLOAT64:
      return {-(int64_t{1} << 53), int64_t{1} << 53};
    default:
      return {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()};
  }
}

// Also false for NaN.
bool IsInRange(double value, DataType type) {
  if (IsFloatingPoint(type)) return std::abs(value) <= LargestValue(type);
  const IntegerBounds bounds = BoundsOf(type);
  return value >= static_cast<double>(bounds.least) && value <= static_cast<double>(bounds.most);
}

absl::Status ValidateReals(double min, double max, DataType type, absl::string_view path) {
  if (!IsInRange(min, type)) return FieldError(absl::StrCat(path, ".min"), "not a value of the parameter's type");
  if (!IsInRange(max, type)) return FieldError(absl::StrCat(path, ".max"), "not a value of the parameter's type");
  if (!(min < max)) return FieldError(absl::StrCat(path, ".max"), "must be above min");
  return absl::OkStatus();
}

absl::Status ValidateFormula(absl::string_view text, const std::string& path) {
  const absl::StatusOr<Expression> expression = Expression::Parse(text);
  return expression.ok() ? absl::OkStatus() : FieldError(path, expression.status().message());
}

absl::StatusOr<int64_t> EvaluateAt(absl::string_view text, const Sizes& sizes, const std::string& path) {
  absl::StatusOr<int64_t> value = EvaluateExpression(text, sizes);
  if (!value.ok()) return FieldError(path, value.status().message());
  return value;
}

absl::Status RequireWideInteger(DataType type, absl::string_view path) {
  if (!IsFloatingPoint(type) && ElementSize(type) >= 4) return absl::OkStatus();
  return FieldError(path, "needs a parameter of a 32- or 64-bit integer type");
}

absl::Status ValidateRange(const Generator::IntegerRange& range, DataType type, const Sizes& sizes,
                           const std::string& path) {
  const absl::StatusOr<int64_t> min = EvaluateAt(range.min(), sizes, absl::StrCat(path, ".min"));
  if (!min.ok()) return min.status();
  const absl::StatusOr<int64_t> max = EvaluateAt(range.max(), sizes, absl::StrCat(path, ".max"));
  if (!max.ok()) return max.status();
  const IntegerBounds bounds = BoundsOf(type);
  if (*min < bounds.least || *max > bounds.most) {
    return FieldError(path, absl::StrCat("the parameter's type holds ", bounds.least, " .. ", bounds.most,
                                         " exactly, not ", *min, " .. ", *max));
  }
  if (*min > *max)
    return FieldError(path, absl::StrCat("min is ", *min, ", max is ", *max, "; min must not be above max"));
  return absl::OkStatus();
}

absl::Status ValidateRowOffsets(const Generator::CsrRowOffsets& offsets, DataType type, int64_t extent,
                                const Sizes& sizes, const std::string& path) {
  const absl::StatusOr<int64_t> count =
      EvaluateAt(offsets.nonzero_count(), sizes, absl::StrCat(path, ".nonzero_count"));
  if (!count.ok()) return count.status();
  if (*count < 0 || *count > BoundsOf(type).most) {
    return FieldError(absl::StrCat(path, ".nonzero_count"),
                      absl::StrCat("is ", *count, ", which the type does not hold"));
  }
  if (extent < 1 || (extent == 1 && *count > 0)) {
    return FieldError(path, "needs rows + 1 elements, and at least one row for any nonzero");
  }
  return absl::OkStatus();
}

absl::Status ValidateColumnIndices(const Generator::CsrColumnIndices& indices, DataType type, int64_t extent,
                                   const reward::v1::CudaTask& task, const reward::v1::Case& test_case,
                                   const std::string& path) {
  const Sizes sizes = CaseSizes(test_case);
  const auto rows = std::find_if(task.parameters().begin(), task.parameters().end(),
                                 [&](const reward::v1::Parameter& p) { return p.name() == indices.row_offsets(); });
  const Generator* rows_generator = rows == task.parameters().end() ? nullptr : GeneratorOf(*rows, test_case);
  if (rows_generator == nullptr || !rows_generator->has_csr_row_offsets()) {
    return FieldError(absl::StrCat(path, ".row_offsets"), "must name a parameter filled by csr_row_offsets");
  }
  const absl::StatusOr<int64_t> columns =
      EvaluateAt(indices.column_count(), sizes, absl::StrCat(path, ".column_count"));
  if (!columns.ok()) return columns.status();
  if (*columns < 0 || *columns > BoundsOf(type).most || (*columns == 0 && extent > 0)) {
    return FieldError(absl::StrCat(path, ".column_count"), absl::StrCat("is ", *columns, "; it must be above 0"));
  }
  const absl::StatusOr<int64_t> count = EvaluateExpression(rows_generator->csr_row_offsets().nonzero_count(), sizes);
  if (!count.ok() || *count != extent) {
    return FieldError(path, absl::StrCat("the buffer has ", extent, " elements; it needs one per nonzero of ",
                                         indices.row_offsets()));
  }
  return absl::OkStatus();
}

}  // namespace

const Generator* GeneratorOf(const reward::v1::Parameter& parameter, const reward::v1::Case& test_case) {
  const auto own = test_case.generators().find(parameter.name());
  if (own != test_case.generators().end()) return &own->second;
  return parameter.has_generator() ? &parameter.generator() : nullptr;
}

absl::Status ValidateGenerator(const Generator& generator, DataType type, absl::string_view path) {
  switch (generator.kind_case()) {
    case Generator::kUniform:
      return ValidateReals(generator.uniform().min(), generator.uniform().max(), type, absl::StrCat(path, ".uniform"));
    case Generator::kSorted:
      return ValidateReals(generator.sorted().min(), generator.sorted().max(), type, absl::StrCat(path, ".sorted"));
    case Generator::kNormal: {
      const Generator::Normal& normal = generator.normal();
      if (!IsFloatingPoint(type)) {
        return FieldError(absl::StrCat(path, ".normal"), "needs a floating-point parameter; use integer_range");
      }
      if (!IsInRange(normal.mean(), type)) return FieldError(absl::StrCat(path, ".normal.mean"), "must be finite");
      if (normal.stddev() > 0 && IsInRange(normal.stddev(), type)) return absl::OkStatus();
      return FieldError(absl::StrCat(path, ".normal.stddev"), "must be a finite number above 0");
    }
    case Generator::kIntegerRange: {
      const std::string range_path = absl::StrCat(path, ".integer_range");
      absl::Status status = ValidateFormula(generator.integer_range().min(), absl::StrCat(range_path, ".min"));
      if (!status.ok()) return status;
      return ValidateFormula(generator.integer_range().max(), absl::StrCat(range_path, ".max"));
    }
    case Generator::kPermutation:
      return RequireWideInteger(type, absl::StrCat(path, ".permutation"));
    case Generator::kCsrRowOffsets: {
      const std::string csr_path = absl::StrCat(path, ".csr_row_offsets");
      if (absl::Status status = RequireWideInteger(type, csr_path); !status.ok()) return status;
      return ValidateFormula(generator.csr_row_offsets().nonzero_count(), absl::StrCat(csr_path, ".nonzero_count"));
    }
    case Generator::kCsrColumnIndices: {
      const std::string csr_path = absl::StrCat(path, ".csr_column_indices");
      if (absl::Status status = RequireWideInteger(type, csr_path); !status.ok()) return status;
      return ValidateFormula(generator.csr_column_indices().column_count(), absl::StrCat(csr_path, ".column_count"));
    }
    case Generator::kConstant:
      if (IsInRange(generator.constant().value(), type)) return absl::OkStatus();
      return FieldError(absl::StrCat(path, ".constant.value"), "not a value of the parameter's type");
    case Generator::KIND_NOT_SET:
      break;
  }
  return FieldError(path,
                    "says no kind: set one of uniform, normal, integer_range, sorted, permutation, csr_row_offsets, "
                    "csr_column_indices, constant");
}

absl::Status ValidateGeneratorInCase(const Generator& generator, const reward::v1::Parameter& parameter, int64_t extent,
                                     const reward::v1::CudaTask& task, const reward::v1::Case& test_case,
                                     absl::string_view path) {
  const DataType type = parameter.dtype();
  switch (generator.kind_case()) {
    case Generator::kIntegerRange:
      return ValidateRange(generator.integer_range(), type, CaseSizes(test_case), absl::StrCat(path, ".integer_range"));
    case Generator::kPermutation:
      if (extent <= BoundsOf(type).most) return absl::OkStatus();
      return FieldError(absl::StrCat(path, ".permutation"), "the type does not hold every index");
    case Generator::kCsrRowOffsets:
      return ValidateRowOffsets(generator.csr_row_offsets(), type, extent, CaseSizes(test_case),
                                absl::StrCat(path, ".csr_row_offsets"));
    case Generator::kCsrColumnIndices:
      return ValidateColumnIndices(generator.csr_column_indices(), type, extent, task, test_case,
                                   absl::StrCat(path, ".csr_column_indices"));
    default:
      return absl::OkStatus();
  }
}

}  // namespace cudaperf::sandbox
