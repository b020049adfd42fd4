#include "sandbox/cupti/range_profiler.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/time/clock.h"

namespace cudaperf::sandbox {
namespace {

using worker::v1::ProfilerConfig;

// The profiler enabled on a context; disabled at the end of its life.
class Session {
 public:
  explicit Session(const CuptiLibrary& library) : library_(library) {}
  ~Session() {
    if (profiler_ == nullptr) return;
    CUpti_RangeProfiler_Disable_Params params = {CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE};
    params.pRangeProfilerObject = profiler_;
    library_.RangeProfilerDisable(&params);
  }

  absl::Status Enable(CUcontext context);
  absl::Status Configure(const ProfilerConfig& config, const std::vector<const char*>& metrics);
  absl::Status Start();
  absl::Status Stop();
  // Moves what the GPU has counted into the counter data; the number of kernels that found no room.
  absl::StatusOr<int64_t> Decode();
  // Indices of the ranges, in launch order.
  absl::StatusOr<std::vector<size_t>> Ranges() const;
  absl::Span<const uint8_t> counter_data() const { return counter_data_; }

 private:
  absl::Status MakeCounterData(const std::vector<const char*>& metrics);

  const CuptiLibrary& library_;
  CUpti_RangeProfiler_Object* profiler_ = nullptr;
  std::vector<uint8_t> counter_data_;
};

absl::Status Session::Enable(CUcontext context) {
  CUpti_RangeProfiler_Enable_Params params = {CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE};
  params.ctx = context;
  const absl::Status status = library_.Check(library_.RangeProfilerEnable(&params), "cuptiRangeProfilerEnable");
  if (status.ok()) profiler_ = params.pRangeProfilerObject;
  return status;
}

absl::Status Session::MakeCounterData(const std::vector<const char*>& metrics) {
  CUpti_RangeProfiler_GetCounterDataSize_Params size = {CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE};
  size.pRangeProfilerObject = profiler_;
  size.pMetricNames = const_cast<const char**>(metrics.data());
  size.numMetrics = metrics.size();
  size.maxNumOfRanges = RangeProfiler::kMaxKernels;
  size.maxNumRangeTreeNodes = RangeProfiler::kMaxKernels;
  const absl::Status status =
      library_.Check(library_.RangeProfilerGetCounterDataSize(&size), "cuptiRangeProfilerGetCounterDataSize");
  if (!status.ok()) return status;
  counter_data_.resize(size.counterDataSize);
  CUpti_RangeProfiler_CounterDataImage_Initialize_Params initialize = {
      CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE};
  initialize.pRangeProfilerObject = profiler_;
  initialize.counterDataSize = counter_data_.size();
  initialize.pCounterData = counter_data_.data();
  return library_.Check(library_.RangeProfilerCounterDataImageInitialize(&initialize),
                        "cuptiRangeProfilerCounterDataImageInitialize");
}

absl::Status Session::Configure(const ProfilerConfig& config, const std::vector<const char*>& metrics) {
  if (absl::Status status = MakeCounterData(metrics); !status.ok()) return status;
  CUpti_RangeProfiler_SetConfig_Params params = {CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE};
  params.pRangeProfilerObject = profiler_;
  params.configSize = config.image().size();
  params.pConfig = reinterpret_cast<const uint8_t*>(config.image().data());
  params.counterDataImageSize = counter_data_.size();
  params.pCounterDataImage = counter_data_.data();
  params.range = CUPTI_AutoRange;
  params.replayMode = CUPTI_KernelReplay;
  params.maxRangesPerPass = RangeProfiler::kMaxKernels;
  params.numNestingLevels = 1;
  params.minNestingLevel = 1;
  return library_.Check(library_.RangeProfilerSetConfig(&params), "cuptiRangeProfilerSetConfig");
}

absl::Status Session::Start() {
  CUpti_RangeProfiler_Start_Params params = {CUpti_RangeProfiler_Start_Params_STRUCT_SIZE};
  params.pRangeProfilerObject = profiler_;
  return library_.Check(library_.RangeProfilerStart(&params), "cuptiRangeProfilerStart");
}

absl::Status Session::Stop() {
  CUpti_RangeProfiler_Stop_Params params = {CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE};
  params.pRangeProfilerObject = profiler_;
  return library_.Check(library_.RangeProfilerStop(&params), "cuptiRangeProfilerStop");
}

absl::StatusOr<int64_t> Session::Decode() {
  CUpti_RangeProfiler_DecodeData_Params params = {CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE};
  params.pRangeProfilerObject = profiler_;
  const absl::Status status = library_.Check(library_.RangeProfilerDecodeData(&params), "cuptiRangeProfilerDecodeData");
  if (!status.ok()) return status;
  return static_cast<int64_t>(params.numOfRangeDropped);
}

absl::StatusOr<std::vector<size_t>> Session::Ranges() const {
  CUpti_RangeProfiler_GetCounterDataInfo_Params info = {CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE};
  info.pCounterDataImage = counter_data_.data();
  info.counterDataImageSize = counter_data_.size();
  absl::Status status =
      library_.Check(library_.RangeProfilerGetCounterDataInfo(&info), "cuptiRangeProfilerGetCounterDataInfo");
  if (!status.ok()) return status;
  // An automatic range is named by its number in launch order.
  std::vector<std::pair<int64_t, size_t>> launches;
  for (size_t i = 0; i < info.numTotalRanges; ++i) {
    CUpti_RangeProfiler_CounterData_GetRangeInfo_Params range = {
        CUpti_RangeProfiler_CounterData_GetRangeInfo_Params_STRUCT_SIZE};
    range.pCounterDataImage = counter_data_.data();
    range.counterDataImageSize = counter_data_.size();
    range.rangeIndex = i;
    range.rangeDelimiter = "/";
    status = library_.Check(library_.RangeProfilerCounterDataGetRangeInfo(&range),
                            "cuptiRangeProfilerCounterDataGetRangeInfo");
    if (!status.ok()) return status;
    int64_t number = static_cast<int64_t>(i);
    if (range.rangeName != nullptr && !absl::SimpleAtoi(range.rangeName, &number)) number = static_cast<int64_t>(i);
    launches.emplace_back(number, i);
  }
  std::sort(launches.begin(), launches.end());
  std::vector<size_t> ranges;
  for (const auto& [number, index] : launches) ranges.push_back(index);
  return ranges;
}

std::vector<const char*> Names(const ProfilerConfig& config) {
  std::vector<const char*> names;
  for (const std::string& metric : config.metrics()) names.push_back(metric.c_str());
  return names;
}

// Reads what the session has counted.
absl::Status ReadKernels(const ProfilerHost& host, Session& session, const std::vector<const char*>& metrics,
                         KernelProfile* profile) {
  absl::StatusOr<int64_t> dropped = session.Decode();
  if (!dropped.ok()) return dropped.status();
  profile->dropped_count = *dropped;
  absl::StatusOr<std::vector<size_t>> ranges = session.Ranges();
  if (!ranges.ok()) return ranges.status();
  for (size_t range : *ranges) {
    absl::StatusOr<MetricValues> values = host.Evaluate(session.counter_data(), range, metrics);
    if (!values.ok()) return values.status();
    SetExecution(*values, &profile->executions.emplace_back());
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<RangeProfiler>> RangeProfiler::Prepare(const CuptiLibrary* library, CUcontext context,
                                                                      worker::v1::ProfilerImage image) {
  std::unique_ptr<RangeProfiler> profiler(new RangeProfiler(library, context, std::move(image)));
  CUpti_Profiler_Initialize_Params initialize = {CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
  absl::Status status = library->Check(library->ProfilerInitialize(&initialize), "cuptiProfilerInitialize");
  if (!status.ok()) return status;
  absl::StatusOr<std::unique_ptr<ProfilerHost>> host =
      ProfilerHost::Create(library, profiler->image_.chip(), profiler->image_.availability());
  if (!host.ok()) return host.status();
  profiler->host_ = *std::move(host);
  absl::StatusOr<KernelProfile> nothing =
      profiler->Profile(reward::v1::PROFILE_LEVEL_CORE, [] { return absl::OkStatus(); });
  if (!nothing.ok()) return nothing.status();
  return profiler;
}

absl::StatusOr<KernelProfile> RangeProfiler::Profile(reward::v1::ProfileLevel level,
                                                     absl::FunctionRef<absl::Status()> call) {
  const ProfilerConfig& config = level == reward::v1::PROFILE_LEVEL_FULL ? image_.full() : image_.core();
  const std::vector<const char*> metrics = Names(config);
  KernelProfile profile;
  profile.pass_count = config.pass_count();
  const absl::Time begin = absl::Now();
  absl::Time detach;
  {
    Session session(*library_);
    if (absl::Status status = session.Enable(context_); !status.ok()) return status;
    if (absl::Status status = session.Configure(config, metrics); !status.ok()) return status;
    if (absl::Status status = session.Start(); !status.ok()) return status;
    const absl::Time start = absl::Now();
    profile.call = call();
    // After a fault the profiler cannot read either, and the fault is what matters.
    if (!profile.call.ok()) return profile;
    if (absl::Status status = session.Stop(); !status.ok()) return status;
    const absl::Time stop = absl::Now();
    if (absl::Status status = ReadKernels(*host_, session, metrics, &profile); !status.ok()) return status;
    detach = absl::Now();
    profile.attach_time = start - begin;
    profile.call_time = stop - start;
    profile.evaluate_time = detach - stop;
  }
  profile.attach_time += absl::Now() - detach;
  return profile;
}

}  // namespace cudaperf::sandbox
