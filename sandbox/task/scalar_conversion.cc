#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "sandbox/task/data_type.h"
#include "sandbox/task/half.h"
#include "sandbox/task/launch_binding.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::DataType;

template <typename T>
T Load(absl::string_view bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof(value));
  return value;
}

template <typename T>
std::string Store(T value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
}

double LoadReal(absl::string_view bytes, DataType type) {
  if (type == reward::v1::DATA_TYPE_FLOAT16) return HalfToFloat(Load<uint16_t>(bytes));
  if (type == reward::v1::DATA_TYPE_FLOAT32) return Load<float>(bytes);
  return Load<double>(bytes);
}

int64_t LoadInteger(absl::string_view bytes, DataType type) {
  switch (type) {
    case reward::v1::DATA_TYPE_INT8:
      return Load<int8_t>(bytes);
    case reward::v1::DATA_TYPE_UINT8:
      return Load<uint8_t>(bytes);
    case reward::v1::DATA_TYPE_INT32:
      return Load<int32_t>(bytes);
    case reward::v1::DATA_TYPE_UINT32:
      return Load<uint32_t>(bytes);
    default:
      return Load<int64_t>(bytes);
  }
}

// A kernel parameter's kind: `f32` is a 4-byte real; `u32`, `s32`, `b32` are 4-byte words; `b8[2]` is how `__half`
// travels.
struct PtxType {
  bool is_real = false;
  int64_t size = 0;
};

std::optional<PtxType> ParsePtxType(absl::string_view text) {
  if (text == "b8[2]") return PtxType{.is_real = false, .size = 2};
  if (text.size() < 2 || absl::string_view("fusb").find(text[0]) == absl::string_view::npos) return std::nullopt;
  int bits = 0;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), bits);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64) return std::nullopt;
  return PtxType{.is_real = text[0] == 'f', .size = bits / 8};
}

std::string StoreReal(double value, int64_t size) {
  if (size == 2) return Store(FloatToHalf(static_cast<float>(value)));
  if (size == 4) return Store(static_cast<float>(value));
  return Store(value);
}

// PTX says nothing of signs: a value fits when it does as a signed or as an unsigned word.
bool Fits(int64_t value, int64_t size) {
  if (size == 8) return true;
  const int64_t span = int64_t{1} << (8 * size);
  return value >= -span / 2 && value < span;
}

}  // namespace

absl::StatusOr<std::string> ConvertScalar(absl::string_view value, DataType type, absl::string_view ptx_type) {
  const std::optional<PtxType> target = ParsePtxType(ptx_type);
  if (!target.has_value()) return absl::InvalidArgumentError(absl::StrCat("a scalar cannot be passed as ", ptx_type));
  if (IsFloatingPoint(type)) {
    if (target->is_real) return StoreReal(LoadReal(value, type), target->size);
    if (target->size == ElementSize(type) && (ptx_type[0] == 'b' || target->size == 2)) return std::string(value);
    return absl::InvalidArgumentError(absl::StrCat("a real number cannot be passed as ", ptx_type));
  }
  const int64_t number = LoadInteger(value, type);
  if (target->is_real) return StoreReal(static_cast<double>(number), target->size);
  if (!Fits(number, target->size)) return absl::InvalidArgumentError(absl::StrCat(number, " does not fit ", ptx_type));
  return Store(number).substr(0, target->size);
}

}  // namespace cudaperf::sandbox
