#include "sandbox/measure/gpu_device.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "sandbox/measure/device_nodes.h"

// judge_kernels_ptx.S
extern "C" const char cudaperf_judge_kernels[];

namespace cudaperf::sandbox {
namespace {

constexpr int kThreadsPerBlock = 256;
constexpr int64_t kMostBlocks = 8192;
// What CUDA 13 compiles for.
constexpr int kOldestArchitecture = 75;
constexpr absl::Duration kLockPatience = absl::Seconds(10);

std::string UuidText(const CUuuid& uuid, absl::string_view prefix) {
  std::string text(prefix);
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    absl::StrAppendFormat(&text, "%02x", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

// One daemon per GPU and machine, whoever it runs as.
std::string LockPath(const std::string& uuid) { return absl::StrCat("/tmp/cudaperf-", uuid, ".lock"); }

}  // namespace

absl::StatusOr<std::unique_ptr<GpuDevice>> GpuDevice::Open(const std::string& selection) {
  // Numbers mean the same here as in nvidia-smi. A MIG slice is seen only by its name.
  setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1);
  if (selection.starts_with("MIG-")) setenv("CUDA_VISIBLE_DEVICES", selection.c_str(), 1);
  absl::StatusOr<std::unique_ptr<Driver>> driver = Driver::Open();
  if (!driver.ok()) {
    return absl::NotFoundError(absl::StrCat("no GPU: ", driver.status().message()));
  }
  std::unique_ptr<GpuDevice> gpu(new GpuDevice);
  gpu->driver_ = *std::move(driver);
  if (absl::Status status = gpu->Select(selection); !status.ok()) return status;
  if (absl::Status status = gpu->Lock(); !status.ok()) return status;
  if (absl::Status status = gpu->Start(); !status.ok()) return status;
  return gpu;
}

GpuDevice::~GpuDevice() {
  if (context_ != nullptr) driver_->DevicePrimaryCtxRelease(device_);
}

absl::Status GpuDevice::Select(const std::string& selection) {
  int count = 0;
  if (absl::Status status = driver_->Check(driver_->DeviceGetCount(&count), "cuDeviceGetCount"); !status.ok())
    return status;
  const bool is_slice = selection.starts_with("MIG-");
  int wanted = -1;
  absl::string_view number = selection;
  if (selection == "auto" || is_slice) {
    wanted = 0;
  } else if (absl::ConsumePrefix(&number, "cuda:") && !absl::SimpleAtoi(number, &wanted)) {
    return absl::InvalidArgumentError(absl::StrCat("device ", selection, ": behind `cuda:` stands a number"));
  }
  for (int i = 0; i < count; ++i) {
    CUuuid uuid;
    if (absl::Status status = driver_->Check(driver_->DeviceGet(&device_, i), "cuDeviceGet"); !status.ok())
      return status;
    if (absl::Status status = driver_->Check(driver_->DeviceGetUuid(&uuid, device_), "cuDeviceGetUuid"); !status.ok()) {
      return status;
    }
    const std::string text = is_slice ? selection : UuidText(uuid, "GPU-");
    if (i != wanted && !absl::EqualsIgnoreCase(text, selection)) continue;
    identity_.set_uuid(text);
    return absl::OkStatus();
  }
  return absl::NotFoundError(absl::StrCat("there is no GPU ", selection, "; this machine has ", count));
}

absl::Status GpuDevice::Lock() {
  const std::string path = LockPath(identity_.uuid());
  // Never written, so a link put there by somebody harms nothing.
  lock_ = UniqueFd(open(path.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (!lock_.valid()) return absl::ErrnoToStatus(errno, absl::StrCat("cannot open the GPU's lock ", path));
  // A daemon that has just ended still gives its runners back.
  const absl::Time deadline = absl::Now() + kLockPatience;
  while (flock(lock_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (absl::Now() >= deadline) {
      return absl::FailedPreconditionError(
          absl::StrCat("another daemon uses ", identity_.uuid(), " (it holds ", path, ")"));
    }
    absl::SleepFor(absl::Milliseconds(100));
  }
  return absl::OkStatus();
}

absl::Status GpuDevice::Start() {
  absl::Status status;
  const auto step = [&](const char* call, auto&& make) {
    if (status.ok()) status = driver_->Check(make(), call);
  };
  const auto attribute = [&](CUdevice_attribute which) {
    int value = 0;
    step("cuDeviceGetAttribute", [&] { return driver_->DeviceGetAttribute(&value, which, device_); });
    return value;
  };
  char name[256] = {};
  char bus[64] = {};
  int version = 0;
  size_t memory = 0;
  step("cuDeviceGetName", [&] { return driver_->DeviceGetName(name, sizeof(name), device_); });
  step("cuDeviceGetPCIBusId", [&] { return driver_->DeviceGetPCIBusId(bus, sizeof(bus), device_); });
  step("cuDriverGetVersion", [&] { return driver_->DriverGetVersion(&version); });
  step("cuDeviceTotalMem", [&] { return driver_->DeviceTotalMem(&memory, device_); });
  identity_.set_name(name);
  identity_.set_pci_bus_id(absl::AsciiStrToLower(bus));
  identity_.set_driver_version(DriverVersionText(version));
  identity_.set_memory_bytes(static_cast<int64_t>(memory));
  identity_.set_architecture(10 * attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                             attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  identity_.set_multiprocessor_count(attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  identity_.set_clock_khz(attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE));
  identity_.set_memory_clock_khz(attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE));
  identity_.set_memory_bus_bits(attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH));
  l2_bytes_ = attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  if (!status.ok()) return status;
  if (identity_.architecture() < kOldestArchitecture) {
    return absl::FailedPreconditionError(absl::StrCat(name, " has compute capability ", identity_.architecture() / 10.0,
                                                      ", below ", kOldestArchitecture / 10.0));
  }
  device_paths_ = DeviceNodes(identity_.pci_bus_id());
  Dl_info library;
  if (dladdr(reinterpret_cast<void*>(driver_->LaunchKernel), &library) != 0) {
    driver_folder_ = std::filesystem::path(library.dli_fname).parent_path().string();
  }
  const CUmemAllocationProp shared = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                      .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device_}};
  size_t granularity = 0;
  step("cuDevicePrimaryCtxRetain", [&] { return driver_->DevicePrimaryCtxRetain(&context_, device_); });
  step("cuCtxSetCurrent", [&] { return driver_->CtxSetCurrent(context_); });
  step("cuModuleLoadDataEx",
       [&] { return driver_->ModuleLoadDataEx(&module_, cudaperf_judge_kernels, 0, nullptr, nullptr); });
  step("cuMemGetAllocationGranularity", [&] {
    return driver_->MemGetAllocationGranularity(&granularity, &shared, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED);
  });
  step("cuMemAlloc", [&] { return driver_->MemAlloc(&flush_, static_cast<size_t>(2 * l2_bytes_)); });
  step("cuMemAlloc", [&] { return driver_->MemAlloc(&total_, sizeof(uint64_t)); });
  granularity_ = static_cast<int64_t>(granularity);
  if (!status.ok()) return status;
  if (absl::StatusOr<std::unique_ptr<Nvml>> nvml = Nvml::Open(identity_.uuid()); nvml.ok()) nvml_ = *std::move(nvml);
  return Canary(absl::Seconds(20));
}

absl::Status GpuDevice::Launch(const std::string& kernel, int64_t element_count, void** arguments) {
  if (element_count <= 0) return absl::OkStatus();
  CUfunction& function = functions_[kernel];
  if (function == nullptr) {
    const CUresult found = driver_->ModuleGetFunction(&function, module_, kernel.c_str());
    if (found != CUDA_SUCCESS) return driver_->Check(found, kernel);
  }
  const int64_t blocks = std::min(kMostBlocks, (element_count + kThreadsPerBlock - 1) / kThreadsPerBlock);
  return driver_->Check(driver_->LaunchKernel(function, static_cast<unsigned>(blocks), 1, 1, kThreadsPerBlock, 1, 1, 0,
                                              nullptr, arguments, nullptr),
                        kernel);
}

absl::Status GpuDevice::Synchronize() { return driver_->Check(driver_->CtxSynchronize(), "cuCtxSynchronize"); }

absl::StatusOr<CUdeviceptr> GpuDevice::ZeroedTotal() {
  if (absl::Status status = driver_->Check(driver_->MemsetD8Async(total_, 0, sizeof(uint64_t), nullptr), "cuMemsetD8");
      !status.ok()) {
    return status;
  }
  return total_;
}

absl::StatusOr<uint64_t> GpuDevice::ReadTotal() {
  uint64_t total = 0;
  // Waits for the kernels before it.
  if (absl::Status status = driver_->Check(driver_->MemcpyDtoH(&total, total_, sizeof(total)), "cuMemcpyDtoH");
      !status.ok()) {
    return status;
  }
  return total;
}

absl::Status GpuDevice::KeepBusy(absl::Duration duration) {
  int64_t nanoseconds = absl::ToInt64Nanoseconds(duration);
  void* arguments[] = {&nanoseconds, &total_};
  return Launch("busy", int64_t{identity_.multiprocessor_count()} * 4 * kThreadsPerBlock, arguments);
}

absl::Status GpuDevice::Probe() {
  int64_t nanoseconds = 0;
  void* arguments[] = {&nanoseconds, &total_};
  if (absl::Status status = Launch("busy", 1, arguments); !status.ok()) return status;
  return Synchronize();
}

absl::Status GpuDevice::FlushL2() {
  driver_->CtxResetPersistingL2Cache();
  const auto byte = static_cast<unsigned char>(++flush_count_);
  return driver_->Check(driver_->MemsetD8Async(flush_, byte, static_cast<size_t>(2 * l2_bytes_), nullptr),
                        "cuMemsetD8");
}

absl::StatusOr<int64_t> GpuDevice::FreeBytes() const {
  size_t free_bytes = 0;
  size_t total_bytes = 0;
  if (absl::Status status = driver_->Check(driver_->MemGetInfo(&free_bytes, &total_bytes), "cuMemGetInfo");
      !status.ok()) {
    return status;
  }
  return static_cast<int64_t>(free_bytes);
}

std::vector<std::string> GpuDevice::Disturbances() const {
  if (nvml_ == nullptr) return {};
  std::vector<std::string> disturbances = nvml_->ThrottleReasons();
  const size_t strangers = Strangers(nvml_->ComputeProcesses()).size();
  if (strangers > 0) disturbances.push_back(absl::StrCat(strangers, " other processes use the GPU"));
  return disturbances;
}

absl::Status GpuDevice::Canary(absl::Duration limit) {
  const absl::Time deadline = absl::Now() + limit;
  const auto lost = [](absl::string_view why) {
    return absl::UnavailableError(absl::StrCat("the GPU is lost: ", why));
  };
  int64_t size = 2 * l2_bytes_;
  int value = 0x5a;
  if (absl::Status status = driver_->Check(
          driver_->MemsetD8Async(flush_, static_cast<unsigned char>(value + 1), static_cast<size_t>(size), nullptr),
          "cuMemsetD8");
      !status.ok()) {
    return lost(status.message());
  }
  absl::StatusOr<CUdeviceptr> total = ZeroedTotal();
  if (!total.ok()) return lost(total.status().message());
  void* arguments[] = {&flush_, &size, &value, &*total};
  if (absl::Status status = Launch("other_than", size, arguments); !status.ok()) return lost(status.message());
  CUresult state = driver_->StreamQuery(nullptr);
  for (; state == CUDA_ERROR_NOT_READY; state = driver_->StreamQuery(nullptr)) {
    if (absl::Now() >= deadline) return lost("a canary kernel does not end");
    absl::SleepFor(absl::Microseconds(200));
  }
  if (state != CUDA_SUCCESS) return lost(driver_->ErrorName(state));
  const absl::StatusOr<uint64_t> counted = ReadTotal();
  if (!counted.ok()) return lost(counted.status().message());
  return *counted == static_cast<uint64_t>(size) ? absl::OkStatus() : lost("a canary kernel counted wrong");
}

}  // namespace cudaperf::sandbox
