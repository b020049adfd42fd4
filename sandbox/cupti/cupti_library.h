#ifndef CUDAPERF_SANDBOX_CUPTI_CUPTI_LIBRARY_H_
#define CUDAPERF_SANDBOX_CUPTI_CUPTI_LIBRARY_H_

#include <cupti.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace cudaperf::sandbox {

// CUPTI, opened at run time. Members are its own functions, named without their prefix. Immutable once open;
// thread-safe as CUPTI is. The library is never unloaded: CUPTI keeps threads and hooks in the driver.
class CuptiLibrary {
 public:
  // Opens libcupti.so.13 from the toolkit's folder, or wherever the loader finds it. NOT_FOUND when there is none,
  // UNAVAILABLE when it lacks a function.
  static absl::StatusOr<std::unique_ptr<CuptiLibrary>> Open(const std::string& toolkit_root);

  // OK for CUPTI_SUCCESS. The message begins with CUPTI's name of the error and then says `call`. PERMISSION_DENIED
  // when this user may not read counters, UNAVAILABLE when another profiler holds them, UNIMPLEMENTED when this device
  // or this virtualisation has none, RESOURCE_EXHAUSTED without memory, all else INTERNAL.
  absl::Status Check(CUptiResult result, absl::string_view call) const;

  decltype(&cuptiActivityEnable) ActivityEnable;
  decltype(&cuptiActivityDisable) ActivityDisable;
  decltype(&cuptiActivityRegisterCallbacks) ActivityRegisterCallbacks;
  decltype(&cuptiActivityFlushAll) ActivityFlushAll;
  decltype(&cuptiActivityGetNextRecord) ActivityGetNextRecord;
  decltype(&cuptiActivityGetNumDroppedRecords) ActivityGetNumDroppedRecords;
  decltype(&cuptiActivitySetAttribute) ActivitySetAttribute;

  decltype(&cuptiDeviceGetChipName) DeviceGetChipName;
  decltype(&cuptiProfilerInitialize) ProfilerInitialize;
  decltype(&cuptiProfilerDeInitialize) ProfilerDeInitialize;
  decltype(&cuptiProfilerGetCounterAvailability) ProfilerGetCounterAvailability;

  decltype(&cuptiProfilerHostInitialize) HostInitialize;
  decltype(&cuptiProfilerHostDeinitialize) HostDeinitialize;
  decltype(&cuptiProfilerHostGetMetricProperties) HostGetMetricProperties;
  decltype(&cuptiProfilerHostConfigAddMetrics) HostConfigAddMetrics;
  decltype(&cuptiProfilerHostGetConfigImageSize) HostGetConfigImageSize;
  decltype(&cuptiProfilerHostGetConfigImage) HostGetConfigImage;
  decltype(&cuptiProfilerHostGetNumOfPasses) HostGetNumOfPasses;
  decltype(&cuptiProfilerHostEvaluateToGpuValues) HostEvaluateToGpuValues;

  decltype(&cuptiRangeProfilerEnable) RangeProfilerEnable;
  decltype(&cuptiRangeProfilerDisable) RangeProfilerDisable;
  decltype(&cuptiRangeProfilerSetConfig) RangeProfilerSetConfig;
  decltype(&cuptiRangeProfilerStart) RangeProfilerStart;
  decltype(&cuptiRangeProfilerStop) RangeProfilerStop;
  decltype(&cuptiRangeProfilerDecodeData) RangeProfilerDecodeData;
  decltype(&cuptiRangeProfilerGetCounterDataSize) RangeProfilerGetCounterDataSize;
  decltype(&cuptiRangeProfilerCounterDataImageInitialize) RangeProfilerCounterDataImageInitialize;
  decltype(&cuptiRangeProfilerGetCounterDataInfo) RangeProfilerGetCounterDataInfo;
  decltype(&cuptiRangeProfilerCounterDataGetRangeInfo) RangeProfilerCounterDataGetRangeInfo;

 private:
  CuptiLibrary() = default;
  absl::Status Resolve(void* library);

  decltype(&cuptiGetResultString) get_result_string_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_CUPTI_CUPTI_LIBRARY_H_
