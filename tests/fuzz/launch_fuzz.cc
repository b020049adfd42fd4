// Launches hostile PTX on the emulated device: it must run or stop, within its bounds.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "emulator/device.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace cudaperf::emulator;
  if (size > (1 << 16)) return 0;
  const absl::StatusOr<std::shared_ptr<const Module>> module =
      Module::Parse(std::string_view(reinterpret_cast<const char*>(bytes), size));
  if (!module.ok()) return 0;
  DeviceMemory memory(int64_t{16} << 20);
  const uint64_t buffer = memory.Allocate(4096).value();
  Device device(&memory);
  LaunchOptions options;
  options.instruction_budget = 4096;
  options.dynamic_shared_limit_bytes = 1024;
  for (size_t k = 0; k < (*module)->kernels().size() && k < 4; ++k) {
    const Kernel& kernel = (*module)->kernels()[k];
    if (kernel.parameter_block_bytes > 4096 || kernel.local_bytes > (1 << 16) || kernel.register_count > 10000)
      continue;
    std::string parameters(static_cast<size_t>(kernel.parameter_block_bytes), '\0');
    for (size_t at = 0; at + 8 <= parameters.size(); at += 8)
      parameters.replace(at, 8, reinterpret_cast<const char*>(&buffer), 8);
    options.checkers = k % 2 == 0;
    options.warp_schedule = static_cast<int64_t>(k);
    device.Launch(*module, kernel.name, {2, 1, 1}, {40, 1, 1}, 256, parameters, options).IgnoreError();
  }
  return 0;
}
