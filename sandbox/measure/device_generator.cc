#include "sandbox/measure/device_generator.h"

#include <bit>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "sandbox/judge/input_generator.h"
#include "sandbox/measure/element_type_name.h"
#include "sandbox/task/data_type.h"
#include "sandbox/task/expression.h"
#include "sandbox/task/generator_validation.h"
#include "sandbox/task/sizes.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::Generator;

}  // namespace

absl::StatusOr<std::vector<std::string>> DeviceGenerator::Scalars(const Seed& seed) const {
  reward::v1::CudaTask scalars_only;
  *scalars_only.mutable_parameters() = task_.parameters();
  std::vector<ParameterLayout> layout = layout_;
  for (int i = 0; i < task_.parameters_size(); ++i) {
    if (!layout[i].is_buffer) continue;
    // Nothing fills an OUT buffer.
    layout[i].direction = reward::v1::DIRECTION_OUT;
    scalars_only.mutable_parameters(i)->clear_generator();
  }
  reward::v1::Case test_case = case_;
  for (int i = 0; i < task_.parameters_size(); ++i) {
    if (layout[i].is_buffer) test_case.mutable_generators()->erase(task_.parameters(i).name());
  }
  return GenerateInputs(scalars_only, test_case, layout, seed, "", 0);
}

absl::Status DeviceGenerator::Fill(const Seed& seed, const std::vector<CUdeviceptr>& addresses) {
  // Column indices follow from row offsets, wherever those stand.
  for (const bool takes_columns : {false, true}) {
    for (int i = 0; i < task_.parameters_size(); ++i) {
      if (!layout_[i].is_input() || layout_[i].element_count == 0) continue;
      const Generator* generator = GeneratorOf(task_.parameters(i), case_);
      if (generator == nullptr)
        return absl::InvalidArgumentError(absl::StrCat("nothing fills ", task_.parameters(i).name()));
      if (generator->has_csr_column_indices() != takes_columns) continue;
      const uint64_t key = RandomStream(seed, "", case_.name(), task_.parameters(i).name(), 0).Word(0);
      if (absl::Status status = FillOne(i, *generator, key, addresses); !status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

absl::Status DeviceGenerator::FillOne(int index, const Generator& generator, uint64_t key,
                                      const std::vector<CUdeviceptr>& addresses) {
  const CUdeviceptr address = addresses[index];
  const Sizes sizes = CaseSizes(case_);
  switch (generator.kind_case()) {
    case Generator::kUniform:
      return LaunchFill("uniform", index, address, key, generator.uniform().min(), generator.uniform().max());
    case Generator::kNormal:
      return LaunchFill("normal", index, address, key, generator.normal().mean(), generator.normal().stddev());
    case Generator::kSorted:
      return LaunchFill("sorted", index, address, key, generator.sorted().min(), generator.sorted().max());
    case Generator::kConstant:
      if (IsFloatingPoint(layout_[index].dtype)) {
        return LaunchFill("normal", index, address, key, generator.constant().value(), 0.0);
      }
      return LaunchFill("integer", index, address, key, static_cast<int64_t>(std::trunc(generator.constant().value())),
                        uint64_t{1});
    case Generator::kIntegerRange: {
      const absl::StatusOr<int64_t> min = EvaluateExpression(generator.integer_range().min(), sizes);
      const absl::StatusOr<int64_t> max = EvaluateExpression(generator.integer_range().max(), sizes);
      if (!min.ok()) return min.status();
      if (!max.ok()) return max.status();
      if (*min > *max) return absl::InvalidArgumentError("an empty range");
      return LaunchFill("integer", index, address, key, *min,
                        static_cast<uint64_t>(*max) - static_cast<uint64_t>(*min) + 1);
    }
    case Generator::kPermutation: {
      const int bits = std::bit_width(static_cast<uint64_t>(layout_[index].element_count - 1));
      return LaunchFill("permutation", index, address, key, std::max(1, (bits + 1) / 2));
    }
    case Generator::kCsrRowOffsets: {
      const absl::StatusOr<int64_t> total = EvaluateExpression(generator.csr_row_offsets().nonzero_count(), sizes);
      if (!total.ok()) return total.status();
      return LaunchFill("row_offsets", index, address, key, *total);
    }
    case Generator::kCsrColumnIndices:
      return FillColumns(index, generator.csr_column_indices(), key, addresses);
    case Generator::KIND_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError("a generator without a kind");
}

absl::Status DeviceGenerator::FillColumns(int index, const Generator::CsrColumnIndices& columns, uint64_t key,
                                          const std::vector<CUdeviceptr>& addresses) {
  const absl::StatusOr<int64_t> column_count = EvaluateExpression(columns.column_count(), CaseSizes(case_));
  if (!column_count.ok()) return column_count.status();
  for (int i = 0; i < task_.parameters_size(); ++i) {
    if (task_.parameters(i).name() != columns.row_offsets()) continue;
    return LaunchFill("columns", index, addresses[index], key, addresses[i], layout_[i].element_count,
                      static_cast<int>(ElementSize(layout_[i].dtype)), *column_count);
  }
  return absl::InvalidArgumentError(absl::StrCat("there are no row offsets ", columns.row_offsets()));
}

template <typename... Arguments>
absl::Status DeviceGenerator::LaunchFill(const std::string& kernel, int index, CUdeviceptr address, uint64_t key,
                                         Arguments... arguments) {
  int64_t count = layout_[index].element_count;
  void* pointers[] = {&address, &count, &key, &arguments...};
  return gpu_->Launch(absl::StrCat(kernel, "_", ElementTypeName(layout_[index].dtype)), count, pointers);
}

}  // namespace cudaperf::sandbox
