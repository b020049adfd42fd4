#include "sandbox/cupti/profiler_image.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "sandbox/cupti/metric_table.h"
#include "sandbox/cupti/profiler_host.h"

namespace cudaperf::sandbox {
namespace {

absl::StatusOr<worker::v1::ProfilerConfig> Schedule(const CuptiLibrary& library, const std::string& chip,
                                                    const std::string& availability, reward::v1::ProfileLevel level) {
  absl::StatusOr<std::unique_ptr<ProfilerHost>> host = ProfilerHost::Create(&library, chip, availability);
  if (!host.ok()) return host.status();
  std::vector<std::string> metrics;
  for (std::string& metric : MetricNames(level)) {
    if ((*host)->Knows(metric)) metrics.push_back(std::move(metric));
  }
  return (*host)->Schedule(metrics);
}

absl::StatusOr<std::string> Availability(const CuptiLibrary& library, CUcontext context) {
  CUpti_Profiler_GetCounterAvailability_Params params = {CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE};
  params.ctx = context;
  absl::Status status =
      library.Check(library.ProfilerGetCounterAvailability(&params), "cuptiProfilerGetCounterAvailability");
  if (!status.ok()) return status;
  std::string image(params.counterAvailabilityImageSize, '\0');
  params.pCounterAvailabilityImage = reinterpret_cast<uint8_t*>(image.data());
  status = library.Check(library.ProfilerGetCounterAvailability(&params), "cuptiProfilerGetCounterAvailability");
  if (!status.ok()) return status;
  image.resize(params.counterAvailabilityImageSize);
  return image;
}

}  // namespace

absl::StatusOr<worker::v1::ProfilerImage> MakeProfilerImage(const CuptiLibrary& library, CUcontext context,
                                                            CUdevice device) {
  CUpti_Profiler_Initialize_Params initialize = {CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
  absl::Status status = library.Check(library.ProfilerInitialize(&initialize), "cuptiProfilerInitialize");
  if (!status.ok()) return status;
  CUpti_Device_GetChipName_Params chip = {CUpti_Device_GetChipName_Params_STRUCT_SIZE};
  chip.deviceIndex = static_cast<size_t>(device);
  status = library.Check(library.DeviceGetChipName(&chip), "cuptiDeviceGetChipName");
  if (!status.ok()) return status;
  absl::StatusOr<std::string> availability = Availability(library, context);
  if (!availability.ok()) return availability.status();
  return MakeProfilerImage(library, chip.pChipName, *availability);
}

absl::StatusOr<worker::v1::ProfilerImage> MakeProfilerImage(const CuptiLibrary& library, const std::string& chip,
                                                            const std::string& availability) {
  worker::v1::ProfilerImage image;
  image.set_chip(chip);
  image.set_availability(availability);
  absl::StatusOr<worker::v1::ProfilerConfig> core =
      Schedule(library, chip, availability, reward::v1::PROFILE_LEVEL_CORE);
  if (!core.ok()) return core.status();
  *image.mutable_core() = *std::move(core);
  absl::StatusOr<worker::v1::ProfilerConfig> full =
      Schedule(library, chip, availability, reward::v1::PROFILE_LEVEL_FULL);
  if (!full.ok()) return full.status();
  *image.mutable_full() = *std::move(full);
  return image;
}

}  // namespace cudaperf::sandbox
