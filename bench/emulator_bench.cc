// Thread-instructions per second of processor time of the emulated device with all counters on, one host thread. Prints
// a table.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "emulator/device.h"

namespace cudaperf::emulator {
namespace {

struct Workload {
  std::string name;
  Device::Dimensions grid;
  Device::Dimensions block;
  std::string parameters;
};

template <typename... Values>
std::string Pack(Values... values) {
  std::string block;
  const auto add = [&block](const auto& value) {
    block.resize((block.size() + sizeof(value) - 1) / sizeof(value) * sizeof(value), '\0');
    block.append(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  (add(values), ...);
  return block;
}

struct Measurement {
  double seconds = 0;
  double thread_instructions = 0;
};

// The fastest of several runs.
Measurement Measure(Device& device, const std::shared_ptr<const Module>& module, const Workload& work,
                    const LaunchOptions& options) {
  Measurement best;
  for (int run = 0; run < 5; ++run) {
    const std::clock_t start = std::clock();
    const absl::StatusOr<LaunchResult> result =
        device.Launch(module, work.name, work.grid, work.block, 0, work.parameters, options);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (!result.ok() || result->status != LaunchResult::Status::kOk) {
      std::fprintf(stderr, "%s: %s\n", work.name.c_str(),
                   result.ok() ? result->detail.c_str() : result.status().ToString().c_str());
      return best;
    }
    if (run == 0 || seconds < best.seconds) {
      best = Measurement{seconds, static_cast<double>(result->execution.counters().thread_instruction_count())};
    }
  }
  return best;
}

int Main() {
  std::ostringstream ptx;
  ptx << std::ifstream(CUDAPERF_SOURCE_DIR "/bench/emulator_kernels.ptx").rdbuf();
  const absl::StatusOr<std::shared_ptr<const Module>> module = Module::Parse(ptx.str());
  if (!module.ok()) {
    std::fprintf(stderr, "%s\n", module.status().ToString().c_str());
    return 1;
  }
  constexpr int64_t kElements = 1 << 20;
  constexpr int32_t kSide = 256, kField = 1024;
  DeviceMemory memory(int64_t{1} << 30);
  std::vector<float> host(kElements, 0.5f);
  const auto attach = [&](const char* name) {
    const uint64_t address = memory.Allocate(kElements * 4, DeviceMemory::Content::kInitialized, name).value();
    if (!memory.CopyIn(address, host.data(), kElements * 4).ok()) std::abort();
    return address;
  };
  const uint64_t x = attach("x"), y = attach("y"), z = attach("z");
  const auto count = static_cast<int32_t>(kElements);
  const std::vector<Workload> workloads = {
      {"saxpy", {kElements / 256, 1, 1}, {256, 1, 1}, Pack(count, 2.0f, x, y)},
      {"matmul", {kSide / 16, kSide / 16, 1}, {16, 16, 1}, Pack(kSide, x, y, z)},
      {"stencil", {kField / 32, kField / 8, 1}, {32, 8, 1}, Pack(kField, x, z)},
      {"reduce", {264, 1, 1}, {256, 1, 1}, Pack(count, x, z)},
  };
  Device device(&memory);
  std::printf("%-10s %14s %12s %16s %16s %8s\n", "kernel", "thread instr", "ms", "M/s, counters", "M/s, checkers",
              "ratio");
  for (const Workload& work : workloads) {
    LaunchOptions options;
    const Measurement counted = Measure(device, *module, work, options);
    options.checkers = true;
    const Measurement checked = Measure(device, *module, work, options);
    if (counted.seconds == 0 || checked.seconds == 0) return 1;
    const double fast = counted.thread_instructions / counted.seconds / 1e6,
                 slow = checked.thread_instructions / checked.seconds / 1e6;
    std::printf("%-10s %14.0f %12.2f %16.0f %16.0f %8.2f\n", work.name.c_str(), counted.thread_instructions,
                counted.seconds * 1e3, fast, slow, slow / fast);
  }
  return 0;
}

}  // namespace
}  // namespace cudaperf::emulator

int main() { return cudaperf::emulator::Main(); }
