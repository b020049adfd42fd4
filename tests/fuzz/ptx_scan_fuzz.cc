// Hostile PTX into the static scanner: it must come back with counts that make sense.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "analyzers/instruction_mix_analyzer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string_view ptx(reinterpret_cast<const char*>(bytes), size);
  for (const auto& mix : cudaperf::analyzers::CountInstructions(ptx)) {
    if (mix.instruction_count() > static_cast<int64_t>(size)) std::abort();
    if (mix.global_load_count() + mix.global_store_count() + mix.branch_count() > mix.instruction_count()) std::abort();
  }
  return 0;
}
