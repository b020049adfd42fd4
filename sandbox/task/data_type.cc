#include "sandbox/task/data_type.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace cudaperf::sandbox {
namespace {

using reward::v1::DataType;

struct TypeFacts {
  DataType type;
  int64_t size;
  bool is_floating_point;
  absl::string_view cuda_name;
  absl::string_view c_name;
};

constexpr std::array<TypeFacts, 9> kTypes = {{
    {reward::v1::DATA_TYPE_INT8, 1, false, "signed char", "signed char"},
    {reward::v1::DATA_TYPE_UINT8, 1, false, "unsigned char", "unsigned char"},
    {reward::v1::DATA_TYPE_INT32, 4, false, "int", "int"},
    {reward::v1::DATA_TYPE_UINT32, 4, false, "unsigned int", "unsigned int"},
    {reward::v1::DATA_TYPE_INT64, 8, false, "long long", "long long"},
    {reward::v1::DATA_TYPE_UINT64, 8, false, "unsigned long long", "unsigned long long"},
    {reward::v1::DATA_TYPE_FLOAT16, 2, true, "__half", "_Float16"},
    {reward::v1::DATA_TYPE_FLOAT32, 4, true, "float", "float"},
    {reward::v1::DATA_TYPE_FLOAT64, 8, true, "double", "double"},
}};

const TypeFacts* FactsOf(DataType type) {
  const auto* facts = std::find_if(kTypes.begin(), kTypes.end(), [type](const TypeFacts& f) { return f.type == type; });
  return facts == kTypes.end() ? nullptr : facts;
}

struct Spelling {
  absl::string_view name;
  DataType type;
};

constexpr Spelling kSpellings[] = {
    {"char", reward::v1::DATA_TYPE_INT8},       {"int8_t", reward::v1::DATA_TYPE_INT8},
    {"uint8_t", reward::v1::DATA_TYPE_UINT8},   {"bool", reward::v1::DATA_TYPE_UINT8},
    {"int32_t", reward::v1::DATA_TYPE_INT32},   {"uint32_t", reward::v1::DATA_TYPE_UINT32},
    {"unsigned", reward::v1::DATA_TYPE_UINT32}, {"int64_t", reward::v1::DATA_TYPE_INT64},
    {"uint64_t", reward::v1::DATA_TYPE_UINT64}, {"size_t", reward::v1::DATA_TYPE_UINT64},
    {"half", reward::v1::DATA_TYPE_FLOAT16},
};

}  // namespace

int64_t ElementSize(DataType type) {
  const TypeFacts* facts = FactsOf(type);
  return facts == nullptr ? 0 : facts->size;
}

bool IsFloatingPoint(DataType type) {
  const TypeFacts* facts = FactsOf(type);
  return facts != nullptr && facts->is_floating_point;
}

absl::string_view TypeName(DataType type, Dialect dialect) {
  const TypeFacts* facts = FactsOf(type);
  if (facts == nullptr) return "";
  return dialect == Dialect::kCuda ? facts->cuda_name : facts->c_name;
}

std::optional<DataType> DataTypeFromName(absl::string_view name) {
  for (const TypeFacts& facts : kTypes) {
    if (facts.cuda_name == name || facts.c_name == name) return facts.type;
  }
  const auto* spelling =
      std::find_if(std::begin(kSpellings), std::end(kSpellings), [name](const Spelling& s) { return s.name == name; });
  if (spelling == std::end(kSpellings)) return std::nullopt;
  return spelling->type;
}

}  // namespace cudaperf::sandbox
