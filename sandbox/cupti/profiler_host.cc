#include "sandbox/cupti/profiler_host.h"

#include <utility>

namespace cudaperf::sandbox {

absl::StatusOr<std::unique_ptr<ProfilerHost>> ProfilerHost::Create(const CuptiLibrary* library, const std::string& chip,
                                                                   const std::string& availability) {
  std::unique_ptr<ProfilerHost> host(new ProfilerHost(library, chip, availability));
  CUpti_Profiler_Host_Initialize_Params params = {CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE};
  params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  params.pChipName = host->chip_.c_str();
  if (!availability.empty()) {
    params.pCounterAvailabilityImage = reinterpret_cast<const uint8_t*>(host->availability_.data());
  }
  const absl::Status status = library->Check(library->HostInitialize(&params), "cuptiProfilerHostInitialize");
  if (!status.ok()) return status;
  host->host_ = params.pHostObject;
  return host;
}

ProfilerHost::~ProfilerHost() {
  if (host_ == nullptr) return;
  CUpti_Profiler_Host_Deinitialize_Params params = {CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE};
  params.pHostObject = host_;
  library_->HostDeinitialize(&params);
}

bool ProfilerHost::Knows(const std::string& metric) const {
  CUpti_Profiler_Host_GetMetricProperties_Params params = {CUpti_Profiler_Host_GetMetricProperties_Params_STRUCT_SIZE};
  params.pHostObject = host_;
  params.pMetricName = metric.c_str();
  return metric.find('.') != std::string::npos && library_->HostGetMetricProperties(&params) == CUPTI_SUCCESS;
}

absl::StatusOr<worker::v1::ProfilerConfig> ProfilerHost::Schedule(const std::vector<std::string>& metrics) {
  std::vector<const char*> names;
  for (const std::string& metric : metrics) names.push_back(metric.c_str());
  CUpti_Profiler_Host_ConfigAddMetrics_Params add = {CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE};
  add.pHostObject = host_;
  add.ppMetricNames = names.data();
  add.numMetrics = names.size();
  absl::Status status = library_->Check(library_->HostConfigAddMetrics(&add), "cuptiProfilerHostConfigAddMetrics");
  if (!status.ok()) return status;

  CUpti_Profiler_Host_GetConfigImageSize_Params size = {CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE};
  size.pHostObject = host_;
  status = library_->Check(library_->HostGetConfigImageSize(&size), "cuptiProfilerHostGetConfigImageSize");
  if (!status.ok()) return status;

  std::string image(size.configImageSize, '\0');
  CUpti_Profiler_Host_GetConfigImage_Params get = {CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE};
  get.pHostObject = host_;
  get.configImageSize = image.size();
  get.pConfigImage = reinterpret_cast<uint8_t*>(image.data());
  status = library_->Check(library_->HostGetConfigImage(&get), "cuptiProfilerHostGetConfigImage");
  if (!status.ok()) return status;

  CUpti_Profiler_Host_GetNumOfPasses_Params passes = {CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE};
  passes.configImageSize = image.size();
  passes.pConfigImage = reinterpret_cast<uint8_t*>(image.data());
  status = library_->Check(library_->HostGetNumOfPasses(&passes), "cuptiProfilerHostGetNumOfPasses");
  if (!status.ok()) return status;

  worker::v1::ProfilerConfig config;
  config.set_image(std::move(image));
  for (const std::string& metric : metrics) config.add_metrics(metric);
  config.set_pass_count(static_cast<int32_t>(passes.numOfPasses));
  return config;
}

absl::StatusOr<MetricValues> ProfilerHost::Evaluate(absl::Span<const uint8_t> counter_data, size_t range,
                                                    const std::vector<const char*>& metrics) const {
  std::vector<double> values(metrics.size());
  CUpti_Profiler_Host_EvaluateToGpuValues_Params params = {CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE};
  params.pHostObject = host_;
  params.pCounterDataImage = counter_data.data();
  params.counterDataImageSize = counter_data.size();
  params.rangeIndex = range;
  params.ppMetricNames = const_cast<const char**>(metrics.data());
  params.numMetrics = metrics.size();
  params.pMetricValues = values.data();
  const absl::Status status =
      library_->Check(library_->HostEvaluateToGpuValues(&params), "cuptiProfilerHostEvaluateToGpuValues");
  if (!status.ok()) return status;
  MetricValues named;
  for (size_t i = 0; i < metrics.size(); ++i) named[metrics[i]] = values[i];
  return named;
}

}  // namespace cudaperf::sandbox
