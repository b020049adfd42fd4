#include "sandbox/judge/input_generator.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "sandbox/judge/element_access.h"
#include "sandbox/task/data_type.h"
#include "sandbox/task/expression.h"
#include "sandbox/task/generator_validation.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::CudaTask;
using reward::v1::DataType;
using reward::v1::Generator;

// How many elements are drawn between two looks at whether to stop: some tens of microseconds.
constexpr int64_t kStride = 8192;

// Tells loops to end early, once and for all.
class Brake {
 public:
  explicit Brake(const StopCheck& must_stop) : must_stop_(must_stop) {}

  // Looks every kStride turns of a loop.
  bool Holds(int64_t turn) {
    if (turn % kStride == 0 && !holds_ && must_stop_ != nullptr) holds_ = must_stop_();
    return holds_;
  }
  bool holds() const { return holds_; }

 private:
  const StopCheck& must_stop_;
  bool holds_ = false;
};

// `count` elements of `type`, each from `value(i)`, a real or a whole number.
template <typename ValueOf>
std::string Fill(DataType type, int64_t count, Brake& brake, ValueOf value) {
  return VisitElement(type, [&](auto element) {
    using Element = decltype(element);
    std::string bytes(count * sizeof(typename Element::Stored), '\0');
    for (int64_t begin = 0; begin < count && !brake.Holds(begin); begin += kStride) {
      for (int64_t i = begin; i < std::min(begin + kStride, count); ++i) {
        const auto stored = Element::ToStored(static_cast<typename Element::Value>(value(i)));
        std::memcpy(bytes.data() + i * sizeof(stored), &stored, sizeof(stored));
      }
    }
    return bytes;
  });
}

// Rounding must not reach an open interval's upper end, nor cut a whole number towards zero.
double InInterval(double unit, double min, double max, bool is_real) {
  const double value = min + (max - min) * unit;
  return is_real ? value : std::floor(value);
}

std::string Permutation(DataType type, int64_t count, const RandomStream& stream, Brake& brake) {
  std::vector<int64_t> order(count);
  std::iota(order.begin(), order.end(), int64_t{0});
  for (int64_t i = count - 1; i > 0 && !brake.Holds(i); --i) std::swap(order[i], order[stream.Below(i, i + 1)]);
  return Fill(type, count, brake, [&](int64_t i) { return order[i]; });
}

// In linear time: gaps between the sorted values of a uniform sample are distributed as exponential variates over their sum.
std::string Sorted(const Generator::Sorted& sorted, DataType type, int64_t count, const RandomStream& stream,
                   Brake& brake) {
  std::vector<double> sums(count + 1);
  double sum = 0;
  for (int64_t i = 0; i <= count && !brake.Holds(i); ++i) sums[i] = sum -= std::log(1 - stream.Unit(i));
  // Below 1, as a unit draw is: the last sum is that of all gaps, the one behind the last value too.
  const bool is_real = IsFloatingPoint(type);
  return Fill(type, count, brake, [&](int64_t i) {
    const double unit = sum > 0 ? std::min(sums[i] / sum, std::nextafter(1.0, 0.0)) : 0.0;
    return InInterval(unit, sorted.min(), sorted.max(), is_real);
  });
}

// Rows get shares of the nonzeros by weights that differ a lot; some rows stay empty.
std::string RowOffsets(int64_t nonzero_count, DataType type, int64_t count, const RandomStream& stream, Brake& brake) {
  std::vector<double> weight_before(count, 0.0);
  for (int64_t row = 0; row + 1 < count && !brake.Holds(row); ++row) {
    const double unit = stream.Unit(row);
    weight_before[row + 1] = weight_before[row] + unit * unit * unit;
  }
  const double total = weight_before.back();
  return Fill(type, count, brake, [&](int64_t row) {
    if (row + 1 == count) return count == 1 ? int64_t{0} : nonzero_count;
    const double share = total > 0 ? weight_before[row] / total : 0.0;
    return std::min<int64_t>(nonzero_count, std::llround(share * static_cast<double>(nonzero_count)));
  });
}

// Ascending within each row, without repetition where the row is not longer than the matrix is wide.
std::string ColumnIndices(const std::vector<int64_t>& offsets, int64_t column_count, DataType type, int64_t count,
                          const RandomStream& stream, Brake& brake) {
  std::vector<int64_t> columns(count, 0);
  for (size_t row = 0; row + 1 < offsets.size() && !brake.Holds(static_cast<int64_t>(row)); ++row) {
    const int64_t begin = std::min(offsets[row], count);
    const int64_t end = std::min(offsets[row + 1], count);
    const int64_t length = end - begin;
    const bool is_distinct = length <= column_count;
    // Sorted draws from a range shortened by length - 1, then spread by their rank: strictly ascending.
    const int64_t range = is_distinct ? column_count - length + 1 : column_count;
    for (int64_t i = begin; i < end; ++i) columns[i] = static_cast<int64_t>(stream.Below(i, range));
    std::sort(columns.begin() + begin, columns.begin() + end);
    if (!is_distinct) continue;
    for (int64_t i = begin; i < end; ++i) columns[i] += i - begin;
  }
  return Fill(type, count, brake, [&](int64_t i) { return columns[i]; });
}

// Draws the parameters of one case.
class CaseGenerator {
 public:
  CaseGenerator(const CudaTask& task, const reward::v1::Case& test_case, const std::vector<ParameterLayout>& layout,
                const Seed& seed, absl::string_view task_id, int call, const StopCheck& must_stop)
      : task_(task),
        case_(test_case),
        layout_(layout),
        sizes_(CaseSizes(test_case)),
        seed_(seed),
        task_id_(task_id),
        call_(call),
        brake_(must_stop) {}

  absl::StatusOr<std::vector<std::string>> Generate() {
    inputs_.resize(task_.parameters_size());
    // Column indices follow from row offsets, wherever those stand.
    for (const bool takes_columns : {false, true}) {
      for (int i = 0; i < task_.parameters_size(); ++i) {
        const Generator* generator = GeneratorOf(task_.parameters(i), case_);
        const bool is_columns = generator != nullptr && generator->has_csr_column_indices();
        if (is_columns != takes_columns) continue;
        if (absl::Status status = Draw(i, generator); !status.ok()) return status;
        if (brake_.holds()) return absl::AbortedError("told to stop");
      }
    }
    return std::move(inputs_);
  }

 private:
  absl::Status Draw(int index, const Generator* generator) {
    const reward::v1::Parameter& parameter = task_.parameters(index);
    if (parameter.has_scalar() && !parameter.scalar().value().empty()) {
      const absl::StatusOr<int64_t> value = EvaluateExpression(parameter.scalar().value(), sizes_);
      if (!value.ok()) return value.status();
      inputs_[index] = Fill(parameter.dtype(), 1, brake_, [&](int64_t) { return *value; });
      return absl::OkStatus();
    }
    if (layout_[index].is_buffer && !layout_[index].is_input()) return absl::OkStatus();
    if (generator == nullptr) return absl::InvalidArgumentError(absl::StrCat("nothing fills ", parameter.name()));
    absl::StatusOr<std::string> content = Content(*generator, index);
    if (!content.ok()) return content.status();
    inputs_[index] = *std::move(content);
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> Content(const Generator& generator, int index) {
    const DataType type = layout_[index].dtype;
    const int64_t count = layout_[index].element_count;
    const RandomStream stream(seed_, task_id_, case_.name(), task_.parameters(index).name(), call_);
    switch (generator.kind_case()) {
      case Generator::kUniform: {
        const double min = generator.uniform().min();
        const double max = generator.uniform().max();
        const bool is_real = IsFloatingPoint(type);
        return Fill(type, count, brake_, [&](int64_t i) { return InInterval(stream.Unit(i), min, max, is_real); });
      }
      case Generator::kNormal: {
        const double mean = generator.normal().mean();
        const double stddev = generator.normal().stddev();
        return Fill(type, count, brake_, [&](int64_t i) { return mean + stddev * stream.Normal(i); });
      }
      case Generator::kIntegerRange:
        return IntegerRange(generator.integer_range(), type, count, stream);
      case Generator::kSorted:
        return Sorted(generator.sorted(), type, count, stream, brake_);
      case Generator::kPermutation:
        return Permutation(type, count, stream, brake_);
      case Generator::kCsrRowOffsets: {
        const absl::StatusOr<int64_t> total = EvaluateExpression(generator.csr_row_offsets().nonzero_count(), sizes_);
        if (!total.ok()) return total.status();
        return count < 1 ? std::string() : RowOffsets(*total, type, count, stream, brake_);
      }
      case Generator::kCsrColumnIndices:
        return Columns(generator.csr_column_indices(), index, stream);
      case Generator::kConstant: {
        const double value = generator.constant().value();
        return Fill(type, count, brake_, [&](int64_t) { return value; });
      }
      case Generator::KIND_NOT_SET:
        break;
    }
    return absl::InvalidArgumentError("a generator without a kind");
  }

  absl::StatusOr<std::string> IntegerRange(const Generator::IntegerRange& range, DataType type, int64_t count,
                                           const RandomStream& stream) {
    const absl::StatusOr<int64_t> min = EvaluateExpression(range.min(), sizes_);
    const absl::StatusOr<int64_t> max = EvaluateExpression(range.max(), sizes_);
    if (!min.ok()) return min.status();
    if (!max.ok()) return max.status();
    if (*min > *max) return absl::InvalidArgumentError("an empty range");
    // 0 stands for all 2^64 values.
    const uint64_t span = static_cast<uint64_t>(*max) - static_cast<uint64_t>(*min) + 1;
    return Fill(type, count, brake_, [&](int64_t i) {
      const uint64_t offset = span == 0 ? stream.Word(i) : stream.Below(i, span);
      return static_cast<int64_t>(static_cast<uint64_t>(*min) + offset);
    });
  }

  absl::StatusOr<std::string> Columns(const Generator::CsrColumnIndices& indices, int index,
                                      const RandomStream& stream) {
    const absl::StatusOr<int64_t> column_count = EvaluateExpression(indices.column_count(), sizes_);
    if (!column_count.ok()) return column_count.status();
    if (*column_count < 1 && layout_[index].element_count > 0)
      return absl::InvalidArgumentError("a matrix without columns");
    for (int i = 0; i < task_.parameters_size(); ++i) {
      if (task_.parameters(i).name() != indices.row_offsets()) continue;
      const std::vector<int64_t> offsets = VisitElement(layout_[i].dtype, [&](auto element) {
        std::vector<int64_t> values(inputs_[i].size() / sizeof(typename decltype(element)::Stored));
        for (size_t k = 0; k < values.size(); ++k) {
          values[k] = static_cast<int64_t>(LoadElement<decltype(element)>(inputs_[i].data(), static_cast<int64_t>(k)));
        }
        return values;
      });
      return ColumnIndices(offsets, *column_count, layout_[index].dtype, layout_[index].element_count, stream,
                           brake_);
    }
    return absl::InvalidArgumentError(absl::StrCat("there are no row offsets ", indices.row_offsets()));
  }

  const CudaTask& task_;
  const reward::v1::Case& case_;
  const std::vector<ParameterLayout>& layout_;
  const Sizes sizes_;
  const Seed& seed_;
  const absl::string_view task_id_;
  const int call_;
  Brake brake_;
  std::vector<std::string> inputs_;
};

}  // namespace

absl::StatusOr<std::vector<std::string>> GenerateInputs(const CudaTask& task, const reward::v1::Case& test_case,
                                                        const std::vector<ParameterLayout>& layout, const Seed& seed,
                                                        absl::string_view task_id, int call,
                                                        const StopCheck& must_stop) {
  return CaseGenerator(task, test_case, layout, seed, task_id, call, must_stop).Generate();
}

}  // namespace cudaperf::sandbox
