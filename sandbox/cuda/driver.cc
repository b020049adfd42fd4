#include "sandbox/cuda/driver.h"

#include <dlfcn.h>

#include "absl/strings/str_cat.h"

namespace cudaperf::sandbox {
namespace {

template <typename Function>
absl::Status Find(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  if (*function == nullptr) return absl::UnavailableError(absl::StrCat("the CUDA driver lacks ", name, "; update it"));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Driver>> Driver::Open() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return absl::NotFoundError(absl::StrCat("no CUDA driver: ", dlerror()));
  std::unique_ptr<Driver> driver(new Driver);
  if (absl::Status status = driver->Resolve(library); !status.ok()) return status;
  decltype(&cuInit) init;
  if (absl::Status status = Find(library, "cuInit", &init); !status.ok()) return status;
  if (CUresult result = init(0); result != CUDA_SUCCESS) {
    return absl::UnavailableError(driver->Check(result, "cuInit").message());
  }
  return driver;
}

absl::Status Driver::Check(CUresult result, absl::string_view call) const {
  if (result == CUDA_SUCCESS) return absl::OkStatus();
  const std::string message = absl::StrCat(call, ": ", ErrorName(result));
  switch (result) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
      return absl::AbortedError(message);
    case CUDA_ERROR_OUT_OF_MEMORY:
      return absl::ResourceExhaustedError(message);
    default:
      return absl::InternalError(message);
  }
}

std::string Driver::ErrorName(CUresult result) const {
  const char* name = nullptr;
  get_error_name_(result, &name);
  return name == nullptr ? absl::StrCat("error ", static_cast<int>(result)) : name;
}

absl::Status Driver::Resolve(void* library) {
  absl::Status status;
  // The first failure is kept; what follows it does nothing.
  const auto find = [&](const char* name, auto* function) {
    if (status.ok()) status = Find(library, name, function);
  };
  find("cuGetErrorName", &get_error_name_);
  find("cuDriverGetVersion", &DriverGetVersion);
  find("cuDeviceGetCount", &DeviceGetCount);
  find("cuDeviceGet", &DeviceGet);
  find("cuDeviceGetName", &DeviceGetName);
  find("cuDeviceGetUuid_v2", &DeviceGetUuid);
  find("cuDeviceGetAttribute", &DeviceGetAttribute);
  find("cuDeviceTotalMem_v2", &DeviceTotalMem);
  find("cuDevicePrimaryCtxRetain", &DevicePrimaryCtxRetain);
  find("cuDevicePrimaryCtxRelease_v2", &DevicePrimaryCtxRelease);
  find("cuCtxSetCurrent", &CtxSetCurrent);
  find("cuDeviceGetPCIBusId", &DeviceGetPCIBusId);
  find("cuCtxSynchronize", &CtxSynchronize);
  find("cuCtxSetLimit", &CtxSetLimit);
  find("cuCtxResetPersistingL2Cache", &CtxResetPersistingL2Cache);
  find("cuMemGetInfo_v2", &MemGetInfo);
  find("cuMemGetAllocationGranularity", &MemGetAllocationGranularity);
  find("cuMemCreate", &MemCreate);
  find("cuMemRelease", &MemRelease);
  find("cuMemAddressReserve", &MemAddressReserve);
  find("cuMemAddressFree", &MemAddressFree);
  find("cuMemMap", &MemMap);
  find("cuMemUnmap", &MemUnmap);
  find("cuMemSetAccess", &MemSetAccess);
  find("cuMemExportToShareableHandle", &MemExportToShareableHandle);
  find("cuMemImportFromShareableHandle", &MemImportFromShareableHandle);
  find("cuMemAlloc_v2", &MemAlloc);
  find("cuMemcpyHtoD_v2", &MemcpyHtoD);
  find("cuMemcpyDtoH_v2", &MemcpyDtoH);
  find("cuMemcpyDtoD_v2", &MemcpyDtoD);
  find("cuMemHostAlloc", &MemHostAlloc);
  find("cuMemHostGetDevicePointer_v2", &MemHostGetDevicePointer);
  find("cuMemsetD8_v2", &MemsetD8);
  find("cuMemsetD8Async", &MemsetD8Async);
  find("cuModuleLoadDataEx", &ModuleLoadDataEx);
  find("cuModuleGetFunction", &ModuleGetFunction);
  find("cuFuncSetAttribute", &FuncSetAttribute);
  find("cuLaunchKernel", &LaunchKernel);
  find("cuStreamQuery", &StreamQuery);
  return status;
}

}  // namespace cudaperf::sandbox
