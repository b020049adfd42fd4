#include "analyzers/counter_sum.h"

#include <algorithm>
#include <limits>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"

namespace cudaperf::analyzers {
namespace {

using reward::v1::Counters;

constexpr int64_t kCounterLimit = std::numeric_limits<int64_t>::max() / 2;

}  // namespace

int64_t SaturatedSum(int64_t a, int64_t b) {
  return std::min(std::clamp<int64_t>(a, 0, kCounterLimit) + std::clamp<int64_t>(b, 0, kCounterLimit), kCounterLimit);
}

void AddCounters(const Counters& addend, Counters& sum) {
  const google::protobuf::Descriptor& fields = *Counters::descriptor();
  const google::protobuf::Reflection& reflection = *sum.GetReflection();
  for (int i = 0; i < fields.field_count(); ++i) {
    const google::protobuf::FieldDescriptor* field = fields.field(i);
    reflection.SetInt64(&sum, field, SaturatedSum(reflection.GetInt64(sum, field), reflection.GetInt64(addend, field)));
  }
}

double FlopCount(const Counters& counters) {
  return static_cast<double>(counters.flop_fp16_count()) + static_cast<double>(counters.flop_fp32_count()) +
         static_cast<double>(counters.flop_fp64_count()) + static_cast<double>(counters.flop_tensor_count());
}

}  // namespace cudaperf::analyzers
