#include "sandbox/cupti/cupti_library.h"

#include <dlfcn.h>

#include "absl/strings/str_cat.h"

namespace cudaperf::sandbox {
namespace {

constexpr char kFile[] = "libcupti.so.13";

template <typename Function>
absl::Status Find(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  if (*function == nullptr)
    return absl::UnavailableError(absl::StrCat("CUPTI lacks ", name, "; update the CUDA toolkit"));
  return absl::OkStatus();
}

void* OpenFile(const std::string& toolkit_root) {
  for (const char* folder : {"/lib64/", "/extras/CUPTI/lib64/", "/lib/"}) {
    if (toolkit_root.empty()) break;
    if (void* library = dlopen(absl::StrCat(toolkit_root, folder, kFile).c_str(), RTLD_NOW | RTLD_LOCAL))
      return library;
  }
  return dlopen(kFile, RTLD_NOW | RTLD_LOCAL);
}

absl::StatusCode CodeOf(CUptiResult result) {
  switch (result) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return absl::StatusCode::kPermissionDenied;
    case CUPTI_ERROR_HARDWARE_BUSY:
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
      return absl::StatusCode::kUnavailable;
    case CUPTI_ERROR_NOT_SUPPORTED:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
    case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_INVALID_CHIP_NAME:
      return absl::StatusCode::kUnimplemented;
    case CUPTI_ERROR_OUT_OF_MEMORY:
      return absl::StatusCode::kResourceExhausted;
    default:
      return absl::StatusCode::kInternal;
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<CuptiLibrary>> CuptiLibrary::Open(const std::string& toolkit_root) {
  void* library = OpenFile(toolkit_root);
  if (library == nullptr) return absl::NotFoundError(absl::StrCat("no CUPTI: ", dlerror()));
  std::unique_ptr<CuptiLibrary> cupti(new CuptiLibrary);
  if (absl::Status status = cupti->Resolve(library); !status.ok()) return status;
  return cupti;
}

absl::Status CuptiLibrary::Check(CUptiResult result, absl::string_view call) const {
  if (result == CUPTI_SUCCESS) return absl::OkStatus();
  const char* name = nullptr;
  get_result_string_(result, &name);
  return absl::Status(CodeOf(result), absl::StrCat(name == nullptr ? "CUPTI error" : name, " (",
                                                   static_cast<int>(result), ") from ", call));
}

absl::Status CuptiLibrary::Resolve(void* library) {
  absl::Status status;
  // The first failure is kept; what follows it does nothing.
  const auto find = [&](const char* name, auto* function) {
    if (status.ok()) status = Find(library, name, function);
  };
  find("cuptiGetResultString", &get_result_string_);
  find("cuptiActivityEnable", &ActivityEnable);
  find("cuptiActivityDisable", &ActivityDisable);
  find("cuptiActivityRegisterCallbacks", &ActivityRegisterCallbacks);
  find("cuptiActivityFlushAll", &ActivityFlushAll);
  find("cuptiActivityGetNextRecord", &ActivityGetNextRecord);
  find("cuptiActivityGetNumDroppedRecords", &ActivityGetNumDroppedRecords);
  find("cuptiActivitySetAttribute", &ActivitySetAttribute);
  find("cuptiDeviceGetChipName", &DeviceGetChipName);
  find("cuptiProfilerInitialize", &ProfilerInitialize);
  find("cuptiProfilerDeInitialize", &ProfilerDeInitialize);
  find("cuptiProfilerGetCounterAvailability", &ProfilerGetCounterAvailability);
  find("cuptiProfilerHostInitialize", &HostInitialize);
  find("cuptiProfilerHostDeinitialize", &HostDeinitialize);
  find("cuptiProfilerHostGetMetricProperties", &HostGetMetricProperties);
  find("cuptiProfilerHostConfigAddMetrics", &HostConfigAddMetrics);
  find("cuptiProfilerHostGetConfigImageSize", &HostGetConfigImageSize);
  find("cuptiProfilerHostGetConfigImage", &HostGetConfigImage);
  find("cuptiProfilerHostGetNumOfPasses", &HostGetNumOfPasses);
  find("cuptiProfilerHostEvaluateToGpuValues", &HostEvaluateToGpuValues);
  find("cuptiRangeProfilerEnable", &RangeProfilerEnable);
  find("cuptiRangeProfilerDisable", &RangeProfilerDisable);
  find("cuptiRangeProfilerSetConfig", &RangeProfilerSetConfig);
  find("cuptiRangeProfilerStart", &RangeProfilerStart);
  find("cuptiRangeProfilerStop", &RangeProfilerStop);
  find("cuptiRangeProfilerDecodeData", &RangeProfilerDecodeData);
  find("cuptiRangeProfilerGetCounterDataSize", &RangeProfilerGetCounterDataSize);
  find("cuptiRangeProfilerCounterDataImageInitialize", &RangeProfilerCounterDataImageInitialize);
  find("cuptiRangeProfilerGetCounterDataInfo", &RangeProfilerGetCounterDataInfo);
  find("cuptiRangeProfilerCounterDataGetRangeInfo", &RangeProfilerCounterDataGetRangeInfo);
  return status;
}

}  // namespace cudaperf::sandbox
