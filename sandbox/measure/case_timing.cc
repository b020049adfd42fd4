#include "sandbox/measure/case_timing.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "proto/duration.h"
#include "sandbox/judge/call_buffers.h"
#include "sandbox/judge/comparison.h"
#include "sandbox/measure/call_time.h"
#include "sandbox/measure/device_generator.h"
#include "sandbox/measure/element_type_name.h"
#include "sandbox/task/data_type.h"

namespace cudaperf::sandbox {
namespace {

// Code is loaded and caches of the driver fill in these: checked, not timed.
constexpr int kWarmUpIterations = 2;
constexpr int kLeastIterations = 8;
constexpr int kFewestIterations = 3;
constexpr int kOverdraft = 5;
constexpr int kMostIterations = 200;
// Two poisons.
constexpr int kUntimedIterations = 2;
constexpr int kCalibrationCalls = 7;
// Host work of a launcher that is not charged: what the runtime needs for a launch more than the driver does.
constexpr absl::Duration kFreeHostTime = absl::Microseconds(10);
constexpr double kTightShare = 0.01;
// Before the first call, and before each: a GPU that idles between calls lowers its clock, and candidates would be
// timed at whatever it happens to be.
constexpr absl::Duration kRampTime = absl::Milliseconds(10);
constexpr absl::Duration kBusyTime = absl::Microseconds(100);

// Of the memory, by its clock and width; two transfers a clock.
double PeakBytesPerSecond(const worker::v1::GpuIdentity& gpu) {
  return 2e3 * gpu.memory_clock_khz() * gpu.memory_bus_bits() / 8;
}

reward::v1::Transfers TransfersOf(const worker::v1::GpuRecordsResponse& records) {
  using worker::v1::GpuActivity;
  reward::v1::Transfers transfers;
  for (const GpuActivity& activity : records.activities()) {
    switch (activity.kind()) {
      case GpuActivity::KIND_COPY_HOST_TO_DEVICE:
        transfers.set_host_to_device_bytes(transfers.host_to_device_bytes() + activity.size_bytes());
        transfers.set_host_to_device_count(transfers.host_to_device_count() + 1);
        break;
      case GpuActivity::KIND_COPY_DEVICE_TO_HOST:
        transfers.set_device_to_host_bytes(transfers.device_to_host_bytes() + activity.size_bytes());
        transfers.set_device_to_host_count(transfers.device_to_host_count() + 1);
        break;
      case GpuActivity::KIND_COPY_DEVICE_TO_DEVICE:
        transfers.set_device_to_device_bytes(transfers.device_to_device_bytes() + activity.size_bytes());
        transfers.set_device_to_device_count(transfers.device_to_device_count() + 1);
        break;
      default:
        break;
    }
  }
  return transfers;
}

int KernelCount(const worker::v1::GpuRecordsResponse& records) {
  return static_cast<int>(
      std::count_if(records.activities().begin(), records.activities().end(),
                    [](const auto& activity) { return activity.kind() == worker::v1::GpuActivity::KIND_KERNEL; }));
}

absl::Status BaselineFault(absl::string_view what) {
  return absl::FailedPreconditionError(absl::StrCat("the task's baseline ", what));
}

}  // namespace

CaseTiming::CaseTiming(Options options) : options_(std::move(options)) {
  candidate_.program = options_.candidate;
  baseline_.program = options_.baseline->program.get();
}

absl::StatusOr<MeasuredCase> CaseTiming::Run() {
  MeasuredCase measured;
  measured.result = ResultOf(test_case());
  std::string baseline_rejection;
  if (absl::Status status = Enter(baseline_, &baseline_rejection); !status.ok()) return status;
  if (!baseline_rejection.empty()) return BaselineFault(baseline_rejection);
  if (absl::Status status = CheckBaseline(); !status.ok()) return status;
  if (absl::Status status = Enter(candidate_, &measured.rejection); !status.ok()) return status;
  if (!measured.rejection.empty()) return measured;
  if (is_timed()) {
    if (absl::Status status = Calibrate(); !status.ok()) return status;
  }
  const absl::Time started_at = absl::Now();
  for (int iteration = 0; !IsDone(iteration, absl::Now() - started_at); ++iteration) {
    if (absl::Status status = Iterate(iteration, &measured); !status.ok()) return status;
    const bool has_ended =
        measured.result.status() != reward::v1::CASE_STATUS_UNSPECIFIED || !measured.rejection.empty();
    if (has_ended) break;
  }
  if (measured.rejection.empty() && measured.result.status() == reward::v1::CASE_STATUS_UNSPECIFIED) {
    if (absl::Status status = Conclude(&measured); !status.ok()) return status;
  }
  if (absl::Status status = Leave(); !status.ok()) return status;
  return measured;
}

absl::Status CaseTiming::Enter(Contestant& contestant, std::string* rejection) {
  if (!contestant.program->has_started()) {
    const absl::StatusOr<MeasuredCall> started = contestant.program->Start();
    if (!started.ok()) return started.status();
    *rejection = started->rejection.empty() ? started->detail : started->rejection;
    if (!rejection->empty()) return absl::OkStatus();
  }
  const absl::StatusOr<std::vector<int64_t>> scratch = contestant.program->ScratchBytes(test_case());
  if (!scratch.ok()) {
    *rejection = std::string(scratch.status().message());
    return absl::OkStatus();
  }
  absl::StatusOr<CaseMemory> memory = CaseMemory::Create(options_.gpu, *options_.task, test_case(), *scratch);
  if (!memory.ok()) return memory.status();
  contestant.memory.emplace(*std::move(memory));
  return contestant.program->BeginCase(&*contestant.memory);
}

absl::Status CaseTiming::Calibrate() {
  if (absl::Status status = options_.gpu->KeepBusy(kRampTime); !status.ok()) return status;
  const bool has_records = baseline_.program->ready().activity_error().empty();
  // Where records cannot be forged, nothing is taken off the judge's clock.
  if (has_records && !options_.candidate->is_launcher()) return absl::OkStatus();
  std::vector<absl::Duration> times;
  for (int i = 0; i < kCalibrationCalls; ++i) {
    const absl::StatusOr<absl::Duration> time = has_records ? OverheadOfBaseline() : OverheadOfNothing();
    if (!time.ok()) return time.status();
    times.push_back(*time);
  }
  std::sort(times.begin(), times.end());
  idle_ = times[times.size() / 2] + kFreeHostTime;
  return absl::OkStatus();
}

absl::StatusOr<absl::Duration> CaseTiming::OverheadOfBaseline() {
  const Seed seed = RandomSeed();
  DeviceGenerator generator(options_.gpu, *options_.task, test_case(), baseline_.memory->layout());
  const absl::StatusOr<std::vector<std::string>> scalars = generator.Scalars(seed);
  if (!scalars.ok()) return scalars.status();
  if (absl::Status status = CallOne(baseline_, seed, *scalars, kPoison[0]); !status.ok()) return status;
  const MeasuredCall& call = baseline_.last;
  if (!call.rejection.empty() || call.status != reward::v1::CASE_STATUS_UNSPECIFIED) {
    return BaselineFault(absl::StrCat("fails: ", call.rejection, call.detail));
  }
  return call.outer - Span(call.records);
}

absl::StatusOr<absl::Duration> CaseTiming::OverheadOfNothing() {
  if (absl::Status status = options_.gpu->KeepBusy(kBusyTime); !status.ok()) return status;
  if (absl::Status status = options_.gpu->FlushL2(); !status.ok()) return status;
  if (absl::Status status = options_.gpu->Synchronize(); !status.ok()) return status;
  return baseline_.program->CallNothing();
}

absl::Status CaseTiming::CheckGuards(MeasuredCase* measured) {
  const absl::StatusOr<std::string> changed = candidate_.memory->FindChangedGuard();
  if (!changed.ok()) return changed.status();
  if (!changed->empty()) SetOutsideWrite(*changed, &measured->result);
  return absl::OkStatus();
}

absl::Status CaseTiming::CallOne(Contestant& contestant, const Seed& seed, const std::vector<std::string>& scalars,
                                 unsigned char poison) {
  if (absl::Status status = contestant.memory->Draw(seed); !status.ok()) return status;
  if (absl::Status status = contestant.memory->Poison(poison); !status.ok()) return status;
  if (is_timed()) {
    if (absl::Status status = options_.gpu->KeepBusy(kBusyTime); !status.ok()) return status;
    if (absl::Status status = options_.gpu->FlushL2(); !status.ok()) return status;
  }
  if (absl::Status status = options_.gpu->Synchronize(); !status.ok()) return status;
  absl::StatusOr<MeasuredCall> call = contestant.program->Call(scalars, idle_);
  if (!call.ok()) return call.status();
  contestant.last = *std::move(call);
  return absl::OkStatus();
}

absl::StatusOr<CaseDraw> CaseTiming::AskReference(CaseMemory& memory, const std::vector<std::string>& scalars) {
  CaseDraw draw;
  draw.layout = memory.layout();
  for (size_t i = 0; i < draw.layout.size(); ++i) {
    const bool is_input = draw.layout[i].is_input();
    absl::StatusOr<std::string> content = is_input ? memory.HostContent(static_cast<int>(i)) : scalars[i];
    if (!content.ok()) return content.status();
    draw.inputs.push_back(*std::move(content));
  }
  absl::StatusOr<std::vector<std::string>> expected = options_.reference->Run(draw, kPoison[0]);
  if (!expected.ok()) return expected.status();
  draw.expected = *std::move(expected);
  for (size_t i = 0; i < draw.layout.size(); ++i) {
    draw.expected_rms.push_back(RootMeanSquare(draw.expected[i], draw.layout[i].dtype));
  }
  return draw;
}

absl::Status CaseTiming::CheckBaseline() {
  if (options_.baseline->checked_cases.contains(options_.case_index)) return absl::OkStatus();
  const Seed seed = RandomSeed();
  DeviceGenerator generator(options_.gpu, *options_.task, test_case(), baseline_.memory->layout());
  const absl::StatusOr<std::vector<std::string>> scalars = generator.Scalars(seed);
  if (!scalars.ok()) return scalars.status();
  // Before the call: it may change what it reads and writes.
  if (absl::Status status = baseline_.memory->Draw(seed); !status.ok()) return status;
  const absl::StatusOr<CaseDraw> draw = AskReference(*baseline_.memory, *scalars);
  if (!draw.ok()) return draw.status();
  if (absl::Status status = CallOne(baseline_, seed, *scalars, kPoison[0]); !status.ok()) return status;
  if (!baseline_.last.rejection.empty()) return BaselineFault(baseline_.last.rejection);
  if (!baseline_.last.detail.empty())
    return BaselineFault(absl::StrCat("fails in case ", test_case().name(), ": ", baseline_.last.detail));
  reward::v1::CaseResult result;
  if (absl::Status status = JudgeOutputs(*options_.task, *baseline_.memory, *draw, kPoison[0], &result); !status.ok())
    return status;
  if (result.status() != reward::v1::CASE_STATUS_PASSED) {
    return BaselineFault(absl::StrCat("is wrong in case ", test_case().name(), ": ", result.detail()));
  }
  options_.baseline->checked_cases.insert(options_.case_index);
  return absl::OkStatus();
}

absl::Status CaseTiming::Iterate(int iteration, MeasuredCase* measured) {
  const Seed seed = RandomSeed();
  DeviceGenerator generator(options_.gpu, *options_.task, test_case(), candidate_.memory->layout());
  absl::StatusOr<std::vector<std::string>> scalars = generator.Scalars(seed);
  if (!scalars.ok()) return scalars.status();
  scalars_ = *std::move(scalars);
  const unsigned char poison = kPoison[iteration % 2];
  // A launcher might answer first and finish later: it goes last, and its outputs are looked at at once.
  const bool candidate_first = !options_.candidate->is_launcher() && order_() % 2 == 0;
  const bool is_guarded = iteration == 0;
  if (is_guarded) {
    if (absl::Status status = candidate_.memory->FillGuards(); !status.ok()) return status;
  }
  for (Contestant* contestant :
       {candidate_first ? &candidate_ : &baseline_, candidate_first ? &baseline_ : &candidate_}) {
    if (absl::Status status = CallOne(*contestant, seed, scalars_, poison); !status.ok()) return status;
    const MeasuredCall& call = contestant->last;
    if (call.status == reward::v1::CASE_STATUS_UNSPECIFIED && call.rejection.empty()) continue;
    if (contestant == &baseline_) return BaselineFault(absl::StrCat("fails: ", call.rejection, call.detail));
    measured->rejection = call.rejection;
    measured->result.set_status(call.status);
    measured->result.set_detail(call.detail);
    return absl::OkStatus();
  }
  const absl::StatusOr<uint64_t> differences = CountDifferences();
  if (!differences.ok()) return differences.status();
  if (*differences > 0) return Decide(seed, scalars_, poison, measured);
  if (is_guarded) {
    if (absl::Status status = CheckGuards(measured); !status.ok()) return status;
  }
  if (iteration < kWarmUpIterations) return absl::OkStatus();
  candidate_.times.Add(candidate_.last.time);
  baseline_.times.Add(baseline_.last.time);
  return absl::OkStatus();
}

absl::StatusOr<uint64_t> CaseTiming::CountDifferences() {
  uint64_t differences = 0;
  const std::vector<ParameterLayout>& layout = candidate_.memory->layout();
  for (size_t i = 0; i < layout.size(); ++i) {
    if (!layout[i].is_output() || layout[i].element_count == 0) continue;
    const int index = static_cast<int>(i);
    absl::StatusOr<CUdeviceptr> got = candidate_.memory->DeviceContent(index);
    if (!got.ok()) return got.status();
    absl::StatusOr<CUdeviceptr> expected = baseline_.memory->DeviceContent(index);
    if (!expected.ok()) return expected.status();
    int64_t count = layout[i].element_count;
    const ElementTolerance tolerance = ToleranceOf(*options_.task, options_.task->parameters(index));
    const std::string type = ElementTypeName(layout[i].dtype);
    double rms = 0;
    absl::StatusOr<CUdeviceptr> total = options_.gpu->ZeroedTotal();
    if (!total.ok()) return total.status();
    if (IsFloatingPoint(layout[i].dtype)) {
      void* squares[] = {&*expected, &count, &*total};
      if (absl::Status status = options_.gpu->Launch("squares_" + type, count, squares); !status.ok()) return status;
      const absl::StatusOr<uint64_t> sum = options_.gpu->ReadTotal();
      if (!sum.ok()) return sum.status();
      rms = std::sqrt(std::bit_cast<double>(*sum) / static_cast<double>(count));
      if (absl::Status status = options_.gpu->ZeroedTotal().status(); !status.ok()) return status;
    }
    // Both may be off the reference by the whole tolerance, in opposite directions.
    double relative = 2 * tolerance.relative;
    double absolute = 2 * tolerance.scaled * rms;
    int allow_non_finite = tolerance.allow_non_finite ? 1 : 0;
    void* wrong[] = {&*got, &*expected, &count, &relative, &absolute, &allow_non_finite, &*total};
    if (absl::Status status = options_.gpu->Launch("wrong_" + type, count, wrong); !status.ok()) return status;
    const absl::StatusOr<uint64_t> counted = options_.gpu->ReadTotal();
    if (!counted.ok()) return counted.status();
    differences += *counted;
  }
  return differences;
}

absl::Status CaseTiming::Decide(const Seed& seed, const std::vector<std::string>& scalars, unsigned char poison,
                                MeasuredCase* measured) {
  // The candidate ends here either way. What its process still does must not reach the outputs that are judged.
  (void)candidate_.program->Stop();
  const absl::StatusOr<uint64_t> differences = CountDifferences();
  if (!differences.ok()) return differences.status();
  if (*differences == 0) {
    measured->result.set_status(reward::v1::CASE_STATUS_WRONG_RESULT);
    measured->result.set_detail("outputs were still being written after the call had returned");
    return absl::OkStatus();
  }
  // INOUT buffers hold answers by now: the reference reads a fresh drawing, from the baseline's memory.
  if (absl::Status status = baseline_.memory->Draw(seed); !status.ok()) return status;
  const absl::StatusOr<CaseDraw> draw = AskReference(*baseline_.memory, scalars);
  if (!draw.ok()) return draw.status();
  reward::v1::CaseResult judged;
  if (absl::Status status = JudgeOutputs(*options_.task, *candidate_.memory, *draw, poison, &judged); !status.ok())
    return status;
  if (judged.status() == reward::v1::CASE_STATUS_PASSED) {
    options_.baseline->checked_cases.erase(options_.case_index);
    return BaselineFault(absl::StrCat("does not always agree with the reference in case ", test_case().name()));
  }
  measured->result.set_status(judged.status());
  measured->result.set_detail(judged.detail());
  *measured->result.mutable_mismatches() = judged.mismatches();
  return absl::OkStatus();
}

bool CaseTiming::IsDone(int iteration, absl::Duration spent) const {
  if (!is_timed()) return iteration >= kUntimedIterations;
  const int timed = iteration - kWarmUpIterations;
  // Calls that take long get fewer iterations, and a wide interval.
  if (timed >= kFewestIterations && spent >= kOverdraft * options_.budget) return true;
  if (timed < kLeastIterations) return false;
  if (timed >= kMostIterations || spent >= options_.budget) return true;
  return candidate_.times.IsTight(kTightShare) && baseline_.times.IsTight(kTightShare);
}

absl::Status CaseTiming::Conclude(MeasuredCase* measured) {
  const int64_t output_bytes = candidate_.memory->output_bytes();
  const double peak = PeakBytesPerSecond(options_.gpu->identity());
  measured->result.set_status(reward::v1::CASE_STATUS_PASSED);
  if (!is_timed()) return absl::OkStatus();
  timing_.set_case_name(test_case().name());
  *timing_.mutable_candidate() = candidate_.times.Summarize();
  *timing_.mutable_baseline() = baseline_.times.Summarize();
  const absl::Duration median = proto::FromProto(timing_.candidate().median());
  if (median < LeastTime(output_bytes, options_.gpu->l2_bytes(), peak) || median <= absl::ZeroDuration()) {
    measured->rejection = absl::StrCat("it claims ", absl::FormatDuration(median), " for a call that writes ",
                                       output_bytes, " bytes: the device's memory is not that fast");
    return absl::OkStatus();
  }
  timing_.set_speedup(absl::FDivDuration(proto::FromProto(timing_.baseline().median()), median));
  *timing_.mutable_speed_of_light() =
      proto::ToProto(absl::Seconds(static_cast<double>(candidate_.memory->size_bytes()) / peak));
  transfers_ = TransfersOf(candidate_.last.records);
  *measured->result.mutable_transfers() = transfers_;
  *measured->result.mutable_duration() = proto::ToProto(median);
  return options_.profile_level > reward::v1::PROFILE_LEVEL_NONE ? TakeProfile() : absl::OkStatus();
}

absl::Status CaseTiming::TakeProfile() {
  const absl::Time started_at = absl::Now();
  const Seed seed = RandomSeed();
  if (absl::Status status = candidate_.memory->Draw(seed); !status.ok()) return status;
  if (absl::Status status = candidate_.memory->Poison(kPoison[0]); !status.ok()) return status;
  if (absl::Status status = options_.gpu->Synchronize(); !status.ok()) return status;
  absl::StatusOr<worker::v1::GpuProfileResponse> profile =
      candidate_.program->Profile(scalars_, options_.profile_level, KernelCount(candidate_.last.records));
  profile_duration_ = absl::Now() - started_at;
  if (profile.ok()) {
    profile_ = *std::move(profile);
    return absl::OkStatus();
  }
  if (absl::IsCancelled(profile.status()) || absl::IsUnavailable(profile.status())) return profile.status();
  // What was verified and timed stands; the profile is told to be missing.
  profile_.emplace().set_counter_error(std::string(profile.status().message()));
  (void)candidate_.program->Stop();
  return absl::OkStatus();
}

absl::Status CaseTiming::Leave() {
  if (candidate_.program->has_started()) {
    if (absl::Status status = candidate_.program->EndCase(); !status.ok()) return status;
  }
  return baseline_.program->EndCase();
}

}  // namespace cudaperf::sandbox
