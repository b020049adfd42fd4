#include "emulator/device.h"

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "emulator/counters.h"
#include "emulator/launch_state.h"
#include "emulator/program.h"
#include "emulator/worker.h"

namespace cudaperf::emulator {
namespace {

using reward::v1::Finding;

constexpr int64_t kMostThreads = 1024;
constexpr int64_t kMostBlockZ = 64;
constexpr int64_t kMostGridX = (int64_t{1} << 31) - 1;
constexpr int64_t kMostGridYZ = 65535;
constexpr int64_t kMostStaticShared = 48 * 1024;
constexpr int64_t kMostShared = 227 * 1024;
// An H200's: what may be resident at once, for cooperative launches.
constexpr int64_t kProcessors = 132;
constexpr int64_t kMostResidentThreads = 2048;
constexpr int64_t kMostResidentBlocks = 32;
constexpr int64_t kSharedPerProcessor = 228 * 1024;
constexpr int64_t kSharedReserved = 1024;
// The words that `grid.sync()` counts arrivals in, where %envreg1 and %envreg2 say.
constexpr int64_t kGridWorkspaceBytes = 64;
constexpr int64_t kMostBlockBytes = int64_t{1} << 30;

// Why the launch cannot be; empty when it can.
std::string FindBadLaunch(const Kernel& kernel, const Device::Dimensions& grid, const Device::Dimensions& block,
                          int64_t dynamic_shared, size_t parameter_bytes, const LaunchOptions& options) {
  for (int axis = 0; axis < 3; ++axis) {
    const char name = static_cast<char>('x' + axis);
    if (grid[axis] < 1) return absl::StrFormat("grid %c is %d", name, grid[axis]);
    if (block[axis] < 1) return absl::StrFormat("block %c is %d", name, block[axis]);
    const int64_t most = axis == 0 ? kMostGridX : kMostGridYZ;
    if (grid[axis] > most) return absl::StrFormat("grid %c is %d; at most %d", name, grid[axis], most);
    const int64_t most_block = axis == 2 ? kMostBlockZ : kMostThreads;
    if (block[axis] > most_block) return absl::StrFormat("block %c is %d; at most %d", name, block[axis], most_block);
  }
  const int64_t threads = block[0] * block[1] * block[2];
  if (threads > kMostThreads) return absl::StrFormat("%d threads per block; at most %d", threads, kMostThreads);
  if (kernel.most_threads != 0 && threads > kernel.most_threads) {
    return absl::StrFormat("%d threads per block; the kernel's launch bounds allow %d", threads, kernel.most_threads);
  }
  if (kernel.required_block[0] != 0 && !std::equal(block.begin(), block.end(), kernel.required_block)) {
    return "the block is not the one that the kernel requires";
  }
  if (dynamic_shared < 0) return "negative dynamic shared memory";
  if (dynamic_shared > options.dynamic_shared_limit_bytes) {
    return absl::StrFormat("%d bytes of dynamic shared memory; at most %d unless the kernel opts in to more",
                           dynamic_shared, options.dynamic_shared_limit_bytes);
  }
  if (kernel.static_shared_bytes > kMostStaticShared)
    return absl::StrFormat("%d bytes of static shared memory; at most %d", kernel.static_shared_bytes,
                           kMostStaticShared);
  if (kernel.static_shared_bytes + dynamic_shared > kMostShared) {
    return absl::StrFormat("%d bytes of shared memory; at most %d", kernel.static_shared_bytes + dynamic_shared,
                           kMostShared);
  }
  if (static_cast<int64_t>(parameter_bytes) < kernel.parameter_block_bytes) {
    return absl::StrFormat("%d bytes of parameters; the kernel takes %d", parameter_bytes,
                           kernel.parameter_block_bytes);
  }
  if (options.cooperative) {
    const int64_t resident =
        std::min({kMostResidentBlocks, kMostResidentThreads / ((threads + 31) / 32 * 32),
                  kSharedPerProcessor / (kernel.static_shared_bytes + dynamic_shared + kSharedReserved)});
    // Dimensions are bounded: the product fits.
    const int64_t blocks = grid[0] * grid[1] * grid[2];
    if (blocks > resident * kProcessors) {
      return absl::StrFormat("%d blocks in a cooperative launch; at most %d run at the same time", blocks,
                             resident * kProcessors);
    }
  }
  return "";
}

LaunchResult BadLaunch(const Kernel& kernel, std::string why) {
  LaunchResult result;
  result.status = LaunchResult::Status::kBadLaunch;
  result.detail = why;
  Finding& finding = result.findings.emplace_back();
  finding.set_kind(reward::v1::FINDING_KIND_BAD_LAUNCH);
  finding.set_kernel(kernel.name);
  finding.set_message(std::move(why));
  finding.set_count(1);
  finding.set_fatal(true);
  return result;
}

// The non-fatal findings of all workers, by line.
void MergeFindings(const std::vector<std::unique_ptr<Worker>>& workers, LaunchResult& result) {
  std::map<std::pair<int, uint32_t>, Finding> merged;
  for (const auto& worker : workers) {
    for (const auto& [key, finding] : worker->findings) {
      const auto [known, inserted] = merged.emplace(key, finding);
      if (!inserted) known->second.set_count(known->second.count() + finding.count());
    }
  }
  for (auto& [key, finding] : merged) result.findings.push_back(std::move(finding));
}

}  // namespace

Device::Device(DeviceMemory* memory) : memory_(memory) {}
Device::~Device() = default;

absl::Status Device::Load(std::shared_ptr<const Module> module) {
  if (modules_.contains(module.get())) return absl::OkStatus();
  LoadedModule loaded;
  loaded.module = module;
  for (const Variable& variable : module->variables()) {
    if (variable.size_bytes == 0) {
      loaded.addresses.push_back(0);
      continue;
    }
    absl::StatusOr<uint64_t> address =
        memory_->Allocate(variable.size_bytes, DeviceMemory::Content::kInitialized, variable.name);
    if (!address.ok()) {
      for (const uint64_t placed : loaded.addresses) {
        if (placed != 0) memory_->Free(placed).IgnoreError();
      }
      return address.status();
    }
    loaded.addresses.push_back(*address);
  }
  modules_[module.get()] = std::move(loaded);
  return ResetVariables(*module);
}

absl::Status Device::ResetVariables(const Module& module) {
  const auto loaded = modules_.find(&module);
  if (loaded == modules_.end()) return absl::NotFoundError("module is not loaded");
  const std::vector<uint64_t>& addresses = loaded->second.addresses;
  for (size_t v = 0; v < addresses.size(); ++v) {
    if (addresses[v] == 0) continue;
    const Variable& variable = module.variables()[v];
    if (absl::Status status = memory_->Fill(addresses[v], variable.size_bytes, 0); !status.ok()) return status;
    const int64_t given = std::min<int64_t>(variable.size_bytes, static_cast<int64_t>(variable.initial_bytes.size()));
    if (absl::Status status = memory_->CopyIn(addresses[v], variable.initial_bytes.data(), given); !status.ok())
      return status;
  }
  for (const VariableRelocation& relocation : module.program().relocations) {
    const uint64_t value = addresses[relocation.target] + static_cast<uint64_t>(relocation.addend);
    if (addresses[relocation.variable] == 0) continue;
    absl::Status status =
        memory_->CopyIn(addresses[relocation.variable] + static_cast<uint64_t>(relocation.offset_bytes), &value, 8);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

void Device::Unload(const Module& module) {
  const auto loaded = modules_.find(&module);
  if (loaded == modules_.end()) return;
  for (const uint64_t address : loaded->second.addresses) {
    if (address != 0) memory_->Free(address).IgnoreError();
  }
  modules_.erase(loaded);
}

absl::StatusOr<Device::Symbol> Device::FindSymbol(const Module& module, std::string_view name) const {
  const auto loaded = modules_.find(&module);
  if (loaded == modules_.end()) return absl::NotFoundError("module is not loaded");
  const Variable* variable = module.FindVariable(name);
  if (variable == nullptr || variable->size_bytes == 0)
    return absl::NotFoundError(absl::StrCat("no variable ", std::string(name)));
  return Symbol{loaded->second.addresses[static_cast<size_t>(variable - module.variables().data())],
                variable->size_bytes};
}

absl::StatusOr<LaunchResult> Device::Launch(std::shared_ptr<const Module> module, std::string_view kernel_name,
                                            const Dimensions& grid, const Dimensions& block,
                                            int64_t dynamic_shared_bytes, std::string_view parameters,
                                            const LaunchOptions& options) {
  const Kernel* kernel = module->FindKernel(kernel_name);
  if (kernel == nullptr) return absl::NotFoundError(absl::StrCat("no kernel ", std::string(kernel_name)));
  std::string refusal = FindBadLaunch(*kernel, grid, block, dynamic_shared_bytes, parameters.size(), options);
  if (!refusal.empty()) return BadLaunch(*kernel, std::move(refusal));
  if (absl::Status status = Load(module); !status.ok()) return status;

  LaunchState state;
  state.kernel = kernel;
  state.program = &module->program();
  state.code = &state.program->kernels[static_cast<size_t>(kernel - module->kernels().data())];
  state.operations = state.program->operations;
  state.memory = memory_;
  state.options = options;
  state.grid = grid;
  state.block = block;
  state.block_count = grid[0] * grid[1] * grid[2];
  state.thread_count = block[0] * block[1] * block[2];
  state.dynamic_shared_bytes = dynamic_shared_bytes;
  state.constants = state.code->constants;
  for (const Relocation& relocation : state.code->relocations) {
    const uint64_t address =
        modules_[module.get()].addresses[relocation.variable] + static_cast<uint64_t>(relocation.addend);
    std::fill_n(state.constants.begin() + relocation.constant_offset / 8, kWarpLanes, address);
  }
  const auto* bytes = reinterpret_cast<const std::byte*>(parameters.data());
  state.parameters.assign(bytes, bytes + kernel->parameter_block_bytes);
  state.budget_left = options.instruction_budget;

  LaunchResult result;
  const int64_t warps = (state.thread_count + kWarpLanes - 1) / kWarpLanes;
  const int64_t block_bytes = warps * (int64_t{state.code->register_bytes} + 4 * int64_t{state.code->predicate_count} +
                                       kWarpLanes * int64_t{state.code->local_bytes});
  if (block_bytes > kMostBlockBytes) {
    result.status = LaunchResult::Status::kUnsupported;
    result.detail = absl::StrFormat("unsupported: a block of %d MiB of registers and local memory", block_bytes >> 20);
    return result;
  }
  if (options.cooperative) {
    absl::StatusOr<uint64_t> workspace =
        memory_->Allocate(kGridWorkspaceBytes, DeviceMemory::Content::kInitialized, "the grid's barrier");
    if (!workspace.ok()) return workspace.status();
    if (absl::Status status = memory_->Fill(*workspace, kGridWorkspaceBytes, 0); !status.ok()) return status;
    state.grid_workspace = *workspace;
  }
  memory_->ResetSectors();
  std::vector<std::unique_ptr<Worker>> workers;
  const int64_t worker_count = std::clamp<int64_t>(options.thread_count, 1, std::min<int64_t>(state.block_count, 256));
  for (int64_t k = 0; k < worker_count; ++k) workers.push_back(std::make_unique<Worker>(&state));
  std::vector<std::thread> threads;
  for (int64_t k = 1; k < worker_count; ++k) threads.emplace_back([worker = workers[k].get()] { worker->Run(); });
  workers[0]->Run();
  for (std::thread& thread : threads) thread.join();

  for (int64_t k = 1; k < worker_count; ++k) {
    AddCounts(workers[k]->counts, workers[0]->counts);
    AddCounts(workers[k]->memory, workers[0]->memory);
    workers[0]->longest_warp = std::max(workers[0]->longest_warp, workers[k]->longest_warp);
  }
  reward::v1::KernelExecution& execution = result.execution;
  execution.set_kernel(kernel->name);
  for (const int64_t extent : grid) execution.add_grid(static_cast<int32_t>(extent));
  for (const int64_t extent : block) execution.add_block(static_cast<int32_t>(extent));
  execution.set_dynamic_shared_bytes(dynamic_shared_bytes);
  execution.set_static_shared_bytes(kernel->static_shared_bytes);
  execution.set_longest_warp_instruction_count(workers[0]->longest_warp);
  SummarizeCounts(*state.code, *state.program, workers[0]->counts, workers[0]->memory, &execution);
  execution.mutable_counters()->set_global_unique_load_sector_count(memory_->CountLoadedSectors());
  execution.mutable_counters()->set_global_unique_store_sector_count(memory_->CountStoredSectors());
  if (state.grid_workspace != 0) memory_->Free(state.grid_workspace).IgnoreError();
  if (state.end.has_value()) {
    result.status = state.end->status;
    result.detail = state.end->detail;
    if (state.end->finding.has_value()) result.findings.push_back(*state.end->finding);
  }
  MergeFindings(workers, result);
  return result;
}

}  // namespace cudaperf::emulator
