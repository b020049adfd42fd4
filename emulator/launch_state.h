#ifndef CUDAPERF_EMULATOR_LAUNCH_STATE_H_
#define CUDAPERF_EMULATOR_LAUNCH_STATE_H_

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cudaperf/reward/v1/report.pb.h"
#include "emulator/device.h"
#include "emulator/operations.h"
#include "emulator/program.h"

namespace cudaperf::emulator {

// How a launch ended before its time.
struct LaunchEnd {
  LaunchResult::Status status = LaunchResult::Status::kOk;
  std::string detail;
  // Absent for kUnsupported.
  std::optional<reward::v1::Finding> finding;
};

// What the workers of one launch share. Everything but the atomics and what `mutex` guards is constant while they run.
struct LaunchState {
  const Kernel* kernel = nullptr;
  const Code* code = nullptr;
  const Program* program = nullptr;
  const OperationSet* operations = nullptr;
  DeviceMemory* memory = nullptr;
  LaunchOptions options;
  Device::Dimensions grid = {1, 1, 1};
  Device::Dimensions block = {1, 1, 1};
  int64_t block_count = 1;
  int64_t thread_count = 1;
  int64_t dynamic_shared_bytes = 0;
  // Literal rows with the module's addresses filled in.
  std::vector<uint64_t> constants;
  std::vector<std::byte> parameters;
  // Address of a cooperative launch's barrier, or 0.
  uint64_t grid_workspace = 0;

  std::atomic<int64_t> next_block = 0;
  std::atomic<int64_t> budget_left = 0;
  std::atomic<bool> stopped = false;
  std::mutex mutex;
  // Guarded by `mutex`: the first end.
  std::optional<LaunchEnd> end;

  // Stops the launch; later calls change nothing.
  void Stop(LaunchEnd why) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (!end.has_value()) end = std::move(why);
    stopped.store(true);
  }
};

}  // namespace cudaperf::emulator

#endif  // CUDAPERF_EMULATOR_LAUNCH_STATE_H_
