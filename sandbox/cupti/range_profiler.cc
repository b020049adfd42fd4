#include "sandbox/cupti/range_profiler.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/time/clock.h"

namespace cudaperf::sandbox {

using worker::v1::ProfilerConfig;

// The profiler at work on a context; disabled at the end of its life.
class RangeProfiler::Session {
 public:
  Session(const CuptiLibrary& library, const ProfilerConfig& config, const Options& options);
  ~Session();

  const Options& options() const { return options_; }
  int pass_count() const { return config_.pass_count(); }

  // From here on kernels are counted.
  absl::Status Attach(CUcontext context);
  // Makes the call as often as the replay mode asks; what it answered. `status` is the profiler's.
  absl::Status Call(absl::FunctionRef<absl::Status()> call, absl::Status* status);
  absl::StatusOr<std::vector<reward::v1::KernelExecution>> Read(const ProfilerHost& host);

 private:
  absl::Status MakeCounterData();
  absl::Status Configure();
  absl::Status Start();
  // True when all passes have been made.
  absl::StatusOr<bool> Stop();
  absl::Status Decode();
  // Indices of the ranges, in launch order.
  absl::StatusOr<std::vector<size_t>> Ranges() const;

  const CuptiLibrary& library_;
  const ProfilerConfig& config_;
  const Options options_;
  std::vector<const char*> metrics_;
  CUpti_RangeProfiler_Object* profiler_ = nullptr;
  std::vector<uint8_t> counter_data_;
};

RangeProfiler::Session::Session(const CuptiLibrary& library, const ProfilerConfig& config, const Options& options)
    : library_(library), config_(config), options_(options) {
  for (const std::string& metric : config_.metrics()) metrics_.push_back(metric.c_str());
}

RangeProfiler::Session::~Session() {
  if (profiler_ == nullptr) return;
  CUpti_RangeProfiler_Disable_Params params = {CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE};
  params.pRangeProfilerObject = profiler_;
  library_.RangeProfilerDisable(&params);
}

absl::Status RangeProfiler::Session::Attach(CUcontext context) {
  CUpti_RangeProfiler_Enable_Params params = {CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE};
  params.ctx = context;
  absl::Status status = library_.Check(library_.RangeProfilerEnable(&params), "cuptiRangeProfilerEnable");
  if (!status.ok()) return status;
  profiler_ = params.pRangeProfilerObject;
  if (status = MakeCounterData(); !status.ok()) return status;
  if (status = Configure(); !status.ok()) return status;
  return Start();
}

absl::Status RangeProfiler::Session::MakeCounterData() {
  CUpti_RangeProfiler_GetCounterDataSize_Params size = {CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE};
  size.pRangeProfilerObject = profiler_;
  size.pMetricNames = metrics_.data();
  size.numMetrics = metrics_.size();
  size.maxNumOfRanges = static_cast<size_t>(options_.max_kernels);
  size.maxNumRangeTreeNodes = static_cast<uint32_t>(options_.max_kernels);
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

absl::Status RangeProfiler::Session::Configure() {
  const bool replays_calls = options_.replay == Replay::kCall;
  CUpti_RangeProfiler_SetConfig_Params params = {CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE};
  params.pRangeProfilerObject = profiler_;
  params.configSize = config_.image().size();
  params.pConfig = reinterpret_cast<const uint8_t*>(config_.image().data());
  params.counterDataImageSize = counter_data_.size();
  params.pCounterDataImage = counter_data_.data();
  params.range = CUPTI_AutoRange;
  params.replayMode = replays_calls ? CUPTI_UserReplay : CUPTI_KernelReplay;
  // A kernel that is replayed by itself makes passes of one range.
  params.maxRangesPerPass = replays_calls ? static_cast<size_t>(options_.max_kernels) : 1;
  params.numNestingLevels = 1;
  params.minNestingLevel = 1;
  params.targetNestingLevel = replays_calls ? 1 : 0;
  return library_.Check(library_.RangeProfilerSetConfig(&params), "cuptiRangeProfilerSetConfig");
}

absl::Status RangeProfiler::Session::Start() {
  CUpti_RangeProfiler_Start_Params params = {CUpti_RangeProfiler_Start_Params_STRUCT_SIZE};
  params.pRangeProfilerObject = profiler_;
  return library_.Check(library_.RangeProfilerStart(&params), "cuptiRangeProfilerStart");
}

absl::StatusOr<bool> RangeProfiler::Session::Stop() {
  CUpti_RangeProfiler_Stop_Params params = {CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE};
  params.pRangeProfilerObject = profiler_;
  const absl::Status status = library_.Check(library_.RangeProfilerStop(&params), "cuptiRangeProfilerStop");
  if (!status.ok()) return status;
  return options_.replay == Replay::kKernel || params.isAllPassSubmitted != 0;
}

absl::Status RangeProfiler::Session::Call(absl::FunctionRef<absl::Status()> call, absl::Status* status) {
  for (int pass = 0; pass < config_.pass_count(); ++pass) {
    if (pass > 0) *status = Start();
    if (!status->ok()) return absl::OkStatus();
    // After a fault the profiler cannot go on either, and the fault is what matters.
    if (absl::Status answer = call(); !answer.ok()) return answer;
    const absl::StatusOr<bool> complete = Stop();
    *status = complete.status();
    if (!status->ok() || *complete) return absl::OkStatus();
  }
  *status = absl::InternalError("CUPTI asks for more passes than it scheduled");
  return absl::OkStatus();
}

absl::Status RangeProfiler::Session::Decode() {
  CUpti_RangeProfiler_DecodeData_Params params = {CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE};
  params.pRangeProfilerObject = profiler_;
  return library_.Check(library_.RangeProfilerDecodeData(&params), "cuptiRangeProfilerDecodeData");
}

absl::StatusOr<std::vector<size_t>> RangeProfiler::Session::Ranges() const {
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
    int64_t number = 0;
    if (range.rangeName == nullptr || !absl::SimpleAtoi(range.rangeName, &number)) number = static_cast<int64_t>(i);
    launches.emplace_back(number, i);
  }
  std::sort(launches.begin(), launches.end());
  std::vector<size_t> ranges;
  for (const auto& [number, index] : launches) ranges.push_back(index);
  return ranges;
}

absl::StatusOr<std::vector<reward::v1::KernelExecution>> RangeProfiler::Session::Read(const ProfilerHost& host) {
  if (absl::Status status = Decode(); !status.ok()) return status;
  const absl::StatusOr<std::vector<size_t>> ranges = Ranges();
  if (!ranges.ok()) return ranges.status();
  std::vector<reward::v1::KernelExecution> executions;
  for (size_t range : *ranges) {
    const absl::StatusOr<MetricValues> values = host.Evaluate(counter_data_, range, metrics_);
    if (!values.ok()) return values.status();
    SetExecution(*values, &executions.emplace_back());
  }
  return executions;
}

RangeProfiler::RangeProfiler(const CuptiLibrary* library, CUcontext context, worker::v1::ProfilerImage image)
    : library_(library), context_(context), image_(std::move(image)) {}

RangeProfiler::~RangeProfiler() = default;

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
  return profiler;
}

absl::Status RangeProfiler::Attach(const Options& options) {
  session_.reset();
  const ProfilerConfig& config = options.level == reward::v1::PROFILE_LEVEL_FULL ? image_.full() : image_.core();
  auto session = std::make_unique<Session>(*library_, config, options);
  if (absl::Status status = session->Attach(context_); !status.ok()) return status;
  session_ = std::move(session);
  return absl::OkStatus();
}

absl::StatusOr<KernelProfile> RangeProfiler::Profile(const Options& options, absl::FunctionRef<absl::Status()> call) {
  KernelProfile profile;
  absl::Time last = absl::Now();
  const auto lap = [&last] {
    const absl::Time begin = std::exchange(last, absl::Now());
    return last - begin;
  };
  if (session_ == nullptr || !(session_->options() == options)) {
    if (absl::Status status = Attach(options); !status.ok()) return status;
    profile.attach_time = lap();
  }
  std::unique_ptr<Session> session = std::move(session_);
  profile.pass_count = session->pass_count();
  absl::Status status;
  profile.call = session->Call(call, &status);
  if (!profile.call.ok()) return profile;
  if (!status.ok()) return status;
  profile.call_time = lap();
  absl::StatusOr<std::vector<reward::v1::KernelExecution>> executions = session->Read(*host_);
  if (!executions.ok()) return executions.status();
  profile.executions = *std::move(executions);
  profile.evaluate_time = lap();
  session.reset();
  profile.detach_time = lap();
  return profile;
}

}  // namespace cudaperf::sandbox
