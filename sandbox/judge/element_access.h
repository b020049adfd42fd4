#ifndef CUDAPERF_SANDBOX_JUDGE_ELEMENT_ACCESS_H_
#define CUDAPERF_SANDBOX_JUDGE_ELEMENT_ACCESS_H_

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "cudaperf/reward/v1/task.pb.h"
#include "sandbox/task/half.h"

namespace cudaperf::sandbox {

// An element type as it lies in memory. `Value` is what arithmetic is done in.
template <typename T>
struct PlainElement {
  using Stored = T;
  using Value = std::conditional_t<std::is_floating_point_v<T>, double, int64_t>;
  static constexpr bool kIsReal = std::is_floating_point_v<T>;
  static Value FromStored(Stored stored) { return static_cast<Value>(stored); }
  static Stored ToStored(Value value) { return static_cast<Stored>(value); }
};

struct HalfElement {
  using Stored = uint16_t;
  using Value = double;
  static constexpr bool kIsReal = true;
  static Value FromStored(Stored stored) { return HalfToFloat(stored); }
  static Stored ToStored(Value value) { return FloatToHalf(static_cast<float>(value)); }
};

// Calls `visitor` with an object of the element's type; returns what it returns. `type` is one of the nine.
template <typename Visitor>
auto VisitElement(reward::v1::DataType type, Visitor&& visitor) {
  switch (type) {
    case reward::v1::DATA_TYPE_INT8:
      return visitor(PlainElement<int8_t>());
    case reward::v1::DATA_TYPE_UINT8:
      return visitor(PlainElement<uint8_t>());
    case reward::v1::DATA_TYPE_INT32:
      return visitor(PlainElement<int32_t>());
    case reward::v1::DATA_TYPE_UINT32:
      return visitor(PlainElement<uint32_t>());
    case reward::v1::DATA_TYPE_UINT64:
      return visitor(PlainElement<uint64_t>());
    case reward::v1::DATA_TYPE_FLOAT16:
      return visitor(HalfElement());
    case reward::v1::DATA_TYPE_FLOAT32:
      return visitor(PlainElement<float>());
    case reward::v1::DATA_TYPE_FLOAT64:
      return visitor(PlainElement<double>());
    default:
      return visitor(PlainElement<int64_t>());
  }
}

// Element `index` of an unaligned array.
template <typename Element>
typename Element::Stored LoadElement(const char* bytes, int64_t index) {
  typename Element::Stored stored;
  std::memcpy(&stored, bytes + index * sizeof(stored), sizeof(stored));
  return stored;
}

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_ELEMENT_ACCESS_H_
