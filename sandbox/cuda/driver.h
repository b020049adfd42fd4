#ifndef CUDAPERF_SANDBOX_CUDA_DRIVER_H_
#define CUDAPERF_SANDBOX_CUDA_DRIVER_H_

#include <cuda.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace cudaperf::sandbox {

// The CUDA driver of this machine, opened at run time: nothing links it, so that one build runs with and without a GPU.
// Members are the driver's own functions, named without their prefix. Immutable once open; thread-safe as the driver
// is.
class Driver {
 public:
  // Opens libcuda.so.1 and initialises it. NOT_FOUND without a driver, UNAVAILABLE when it finds no
  // device or does not start.
  static absl::StatusOr<std::unique_ptr<Driver>> Open();

  // OK for CUDA_SUCCESS. Faults that a kernel causes are ABORTED, memory is RESOURCE_EXHAUSTED, all else INTERNAL; the
  // message holds `call` and the driver's name of the error.
  absl::Status Check(CUresult result, absl::string_view call) const;

  decltype(&cuDriverGetVersion) DriverGetVersion;
  decltype(&cuDeviceGetCount) DeviceGetCount;
  decltype(&cuDeviceGet) DeviceGet;
  decltype(&cuDeviceGetName) DeviceGetName;
  decltype(&cuDeviceGetUuid_v2) DeviceGetUuid;
  decltype(&cuDeviceGetAttribute) DeviceGetAttribute;
  decltype(&cuDeviceTotalMem_v2) DeviceTotalMem;
  decltype(&cuDevicePrimaryCtxRetain) DevicePrimaryCtxRetain;
  decltype(&cuDevicePrimaryCtxRelease_v2) DevicePrimaryCtxRelease;
  decltype(&cuCtxSetCurrent) CtxSetCurrent;
  decltype(&cuDeviceGetPCIBusId) DeviceGetPCIBusId;
  decltype(&cuCtxSynchronize) CtxSynchronize;
  decltype(&cuCtxSetLimit) CtxSetLimit;
  decltype(&cuCtxResetPersistingL2Cache) CtxResetPersistingL2Cache;
  decltype(&cuMemGetInfo_v2) MemGetInfo;
  decltype(&cuMemGetAllocationGranularity) MemGetAllocationGranularity;
  decltype(&cuMemCreate) MemCreate;
  decltype(&cuMemRelease) MemRelease;
  decltype(&cuMemAddressReserve) MemAddressReserve;
  decltype(&cuMemAddressFree) MemAddressFree;
  decltype(&cuMemMap) MemMap;
  decltype(&cuMemUnmap) MemUnmap;
  decltype(&cuMemSetAccess) MemSetAccess;
  decltype(&cuMemExportToShareableHandle) MemExportToShareableHandle;
  decltype(&cuMemImportFromShareableHandle) MemImportFromShareableHandle;
  decltype(&cuMemAlloc_v2) MemAlloc;
  decltype(&cuMemcpyHtoD_v2) MemcpyHtoD;
  decltype(&cuMemcpyDtoH_v2) MemcpyDtoH;
  decltype(&cuMemcpyDtoD_v2) MemcpyDtoD;
  decltype(&cuMemHostAlloc) MemHostAlloc;
  decltype(&cuMemHostGetDevicePointer_v2) MemHostGetDevicePointer;
  decltype(&cuMemsetD8_v2) MemsetD8;
  decltype(&cuMemsetD8Async) MemsetD8Async;
  decltype(&cuModuleLoadDataEx) ModuleLoadDataEx;
  decltype(&cuModuleGetFunction) ModuleGetFunction;
  decltype(&cuFuncSetAttribute) FuncSetAttribute;
  decltype(&cuLaunchKernel) LaunchKernel;
  decltype(&cuStreamQuery) StreamQuery;

  // The driver's name of an error, such as `CUDA_ERROR_ILLEGAL_ADDRESS`.
  std::string ErrorName(CUresult result) const;

 private:
  Driver() = default;
  absl::Status Resolve(void* library);

  decltype(&cuGetErrorName) get_error_name_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_CUDA_DRIVER_H_
