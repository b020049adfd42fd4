#ifndef CUDAPERF_EMULATOR_DEVICE_H_
#define CUDAPERF_EMULATOR_DEVICE_H_

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cudaperf/reward/v1/report.pb.h"
#include "emulator/device_memory.h"
#include "emulator/module.h"

namespace cudaperf::emulator {

// How a launch runs. The defaults are a GPU's.
struct LaunchOptions {
  // Warp instructions of the whole launch; more is an INSTRUCTION_BUDGET finding.
  int64_t instruction_budget = int64_t{1} << 40;
  // Reads of unwritten memory and shared-memory races. Bounds, alignment and read-only are always checked.
  bool checkers = false;
  // Host threads that run blocks; at least 1.
  int thread_count = 1;
  // Order in which warps of a block run: 0 ascending, 1 descending, other values seed a random order.
  int64_t warp_schedule = 0;
  // Most dynamic shared memory a block may have: 48 KiB unless the kernel opted in, never above 227 KiB.
  int64_t dynamic_shared_limit_bytes = 48 * 1024;
  // All blocks run at the same time and may wait for each other (`grid.sync()`); a grid that does not fit is a bad
  // launch.
  bool cooperative = false;
};

struct LaunchResult {
  enum class Status {
    kOk,
    // The launch itself was refused; nothing ran.
    kBadLaunch,
    // A fatal finding other than the budget: see `findings`.
    kFault,
    kBudget,
    // The kernel reached something the emulator lacks. Says nothing about the candidate.
    kUnsupported,
  };
  Status status = Status::kOk;
  // One sentence; for kUnsupported `unsupported: NAME`. Empty when kOk.
  std::string detail;
  std::vector<reward::v1::Finding> findings;
  // Counts up to the end or the fault. Empty for kBadLaunch.
  reward::v1::KernelExecution execution;
};

// The emulated GPU: runs kernels of loaded modules against a memory. One call at a time.
class Device {
 public:
  using Dimensions = std::array<int64_t, 3>;

  // `memory`: not owned; outlives this.
  explicit Device(DeviceMemory* memory);
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device();

  // Gives the module's variables addresses and initial content. Loading the same module again is a no-op; Launch and
  // FindSymbol load by themselves. RESOURCE_EXHAUSTED when they do not fit.
  absl::Status Load(std::shared_ptr<const Module> module);
  // Puts the variables back to their initial content.
  absl::Status ResetVariables(const Module& module);
  // Frees the module's variables.
  void Unload(const Module& module);

  struct Symbol {
    uint64_t address = 0;
    int64_t size_bytes = 0;
  };
  // NOT_FOUND when the loaded module has no such variable.
  absl::StatusOr<Symbol> FindSymbol(const Module& module, std::string_view name) const;

  // `parameters` is the parameter block, laid out as the kernel's offsets say; a block that is too short is a bad
  // launch. A non-OK status is ours (module not loadable, kernel unknown); whatever the kernel did is in the result.
  absl::StatusOr<LaunchResult> Launch(std::shared_ptr<const Module> module, std::string_view kernel,
                                      const Dimensions& grid, const Dimensions& block, int64_t dynamic_shared_bytes,
                                      std::string_view parameters, const LaunchOptions& options);

 private:
  struct LoadedModule {
    std::shared_ptr<const Module> module;
    // By index into module->variables().
    std::vector<uint64_t> addresses;
  };

  DeviceMemory* memory_;
  std::map<const Module*, LoadedModule> modules_;
};

}  // namespace cudaperf::emulator

#endif  // CUDAPERF_EMULATOR_DEVICE_H_
