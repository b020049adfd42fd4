#include "server/pipeline_evaluator.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "analyzers/hardware_profile.h"
#include "analyzers/profile_summary.h"
#include "analyzers/time_model.h"
#include "proto/duration.h"
#include "server/conclusion.h"
#include "server/examination.h"
#include "server/gpu_measurement.h"
#include "server/outcome.h"

namespace cudaperf::server {

struct PipelineEvaluator::Walk {
  const EvaluationRequest& request;
  const sandbox::CallScope& scope;
  reward::v1::Evaluation evaluation;
  CandidateBuild build;
  worker::v1::CompileResponse compiled;
  // With a GPU: what verify, time and profile report from.
  std::optional<GpuMeasurement> measurement;
  // What a stage took that another one did the work of.
  absl::Duration stage_duration;

  const reward::v1::CudaTask& task() const { return request.task->task.cuda(); }
  bool has_ended() const { return evaluation.outcome() != reward::v1::OUTCOME_UNSPECIFIED; }
  void End(Verdict verdict) {
    evaluation.set_outcome(verdict.outcome);
    evaluation.set_outcome_detail(std::move(verdict.detail));
  }
  // True when the verdict ends the walk.
  bool EndIf(std::optional<Verdict> verdict) {
    if (verdict.has_value()) End(*std::move(verdict));
    return has_ended();
  }
  Examinee examinee() const {
    return {request.task->task_id, &task(), &request.task->reference_shared_object, &build, &compiled};
  }
};

PipelineEvaluator::PipelineEvaluator(Options options) : options_(std::move(options)) {}

absl::StatusOr<reward::v1::Evaluation> PipelineEvaluator::Evaluate(const EvaluationRequest& request,
                                                                   const sandbox::CallScope& scope) {
  enum class Runs { kUntilTheWalkEnds, kAlways };
  static constexpr struct {
    const char* name;
    Stage stage;
    Runs runs;
  } kRoad[] = {
      {"admit", &PipelineEvaluator::Admit, Runs::kUntilTheWalkEnds},
      {"compile", &PipelineEvaluator::Compile, Runs::kUntilTheWalkEnds},
      {"analyze", &PipelineEvaluator::Analyze, Runs::kUntilTheWalkEnds},
      {"screen", &PipelineEvaluator::Screen, Runs::kUntilTheWalkEnds},
      {"verify", &PipelineEvaluator::Verify, Runs::kUntilTheWalkEnds},
      {"time", &PipelineEvaluator::Time, Runs::kUntilTheWalkEnds},
      {"profile", &PipelineEvaluator::Profile, Runs::kUntilTheWalkEnds},
      {"rank", &PipelineEvaluator::Rank, Runs::kUntilTheWalkEnds},
      {"reward", &PipelineEvaluator::Reward, Runs::kAlways},
      {"feedback", &PipelineEvaluator::Feedback, Runs::kAlways},
  };
  Walk walk = {request, scope};
  // Admitting began at the front desk.
  absl::Duration spent_before = request.admit_duration;
  for (const auto& [name, stage, runs] : kRoad) {
    if (walk.has_ended() && runs != Runs::kAlways) continue;
    const absl::Time started_at = absl::Now();
    if (absl::Status status = (this->*stage)(walk); !status.ok()) return status;
    reward::v1::StageDuration* spent = walk.evaluation.mutable_provenance()->add_stage_durations();
    spent->set_stage(name);
    const absl::Duration here = absl::Now() - started_at + std::exchange(spent_before, absl::ZeroDuration());
    *spent->mutable_duration() = proto::ToProto(here + std::exchange(walk.stage_duration, absl::ZeroDuration()));
  }
  return std::move(walk.evaluation);
}

std::optional<reward::v1::Evaluation> PipelineEvaluator::Recall(const EvaluationRequest&) { return std::nullopt; }

absl::Status PipelineEvaluator::Admit(Walk& walk) const {
  if (walk.scope.stop.stop_requested()) return absl::CancelledError("the call was cancelled");
  if (absl::Now() >= walk.scope.deadline) return absl::DeadlineExceededError("the deadline passed");
  reward::v1::Evaluation& evaluation = walk.evaluation;
  evaluation.set_evaluation_id(walk.request.evaluation_id);
  evaluation.set_task_id(walk.request.task->task_id);
  evaluation.set_candidate_digest(walk.request.candidate_digest);
  reward::v1::Provenance* provenance = evaluation.mutable_provenance();
  const ServerIdentity& identity = options_.identity;
  provenance->set_server_version(identity.server_version);
  provenance->set_device(identity.device);
  provenance->set_gpu(identity.gpu);
  provenance->set_driver_version(identity.driver_version);
  provenance->set_toolkit_version(identity.toolkit_version);
  provenance->set_reward_policy(walk.request.reward_policy);
  provenance->set_ranker_model(identity.ranker_model);
  provenance->set_sandbox_level(identity.sandbox_level);
  provenance->set_timing_source(identity.timing_source);
  *provenance->mutable_queue_duration() = proto::ToProto(walk.request.queue_duration);
  *provenance->mutable_evaluated_at() = proto::ToProto(absl::Now());
  return absl::OkStatus();
}

absl::Status PipelineEvaluator::Compile(Walk& walk) const {
  walk.build = PlanBuild(walk.task(), walk.request.candidate, options_.build);
  if (!walk.build.rejection.empty()) {
    walk.End({reward::v1::OUTCOME_REJECTED, walk.build.rejection});
    return absl::OkStatus();
  }
  absl::StatusOr<worker::v1::CompileResponse> compiled = options_.compiler->Compile(walk.build.request, walk.scope);
  if (!compiled.ok()) return compiled.status();
  walk.compiled = *std::move(compiled);
  *walk.evaluation.mutable_compile() = ReportOf(walk.build, walk.compiled);
  walk.EndIf(VerdictOfCompile(walk.compiled));
  return absl::OkStatus();
}

absl::Status PipelineEvaluator::Analyze(Walk& walk) const {
  const analyzers::Subject subject = {walk.task(), walk.request.candidate, walk.evaluation.compile(),
                                      walk.compiled.program().ptx()};
  reward::v1::AnalysisReport* report = walk.evaluation.mutable_analysis();
  for (const auto& analyzer : options_.analyzers) {
    absl::StatusOr<reward::v1::AnalysisReport> findings = analyzer->Analyze(subject);
    if (!findings.ok()) return findings.status();
    report->MergeFrom(*findings);
  }
  if (walk.EndIf(VerdictOfAnalysis(*report))) return absl::OkStatus();
  const std::string misfit = LaunchMisfit(walk.task(), walk.build, walk.compiled);
  if (!misfit.empty()) walk.End({reward::v1::OUTCOME_REJECTED, misfit});
  return absl::OkStatus();
}

namespace {

// What the device cannot run it cannot judge: no evidence, so no outcome and no reward.
absl::Status NotScreened(const std::string& feature) {
  return absl::FailedPreconditionError(
      absl::StrCat("the emulated device cannot run this candidate, so it has no reward here: ", feature,
                   "; use a daemon with a GPU"));
}

}  // namespace

absl::Status PipelineEvaluator::Screen(Walk& walk) const {
  absl::StatusOr<Examination> examined = Examine(*options_.judge, walk.examinee(), reward::v1::CASE_ROLE_SCREEN,
                                                 Checkers::kOn, options_.config.limits(), walk.scope);
  if (!examined.ok()) return examined.status();
  *walk.evaluation.mutable_screen() = std::move(examined->report);
  if (!examined->rejection.empty()) walk.End({reward::v1::OUTCOME_REJECTED, examined->rejection});
  if (walk.has_ended() || walk.EndIf(VerdictOfCases(walk.evaluation.screen()))) return absl::OkStatus();
  // A GPU runs what the emulated device lacks.
  if (options_.measurer != nullptr) return absl::OkStatus();
  const std::optional<std::string> feature = UnsupportedFeature(walk.evaluation.screen());
  return feature.has_value() ? NotScreened(*feature) : absl::OkStatus();
}

absl::Status PipelineEvaluator::Verify(Walk& walk) const {
  if (options_.measurer != nullptr) return VerifyOnGpu(walk);
  absl::StatusOr<Examination> examined = Examine(*options_.judge, walk.examinee(), reward::v1::CASE_ROLE_MODEL,
                                                 Checkers::kOff, options_.config.limits(), walk.scope);
  if (!examined.ok()) return examined.status();
  *walk.evaluation.mutable_verify() = std::move(examined->report);
  if (!examined->rejection.empty()) walk.End({reward::v1::OUTCOME_REJECTED, examined->rejection});
  if (walk.has_ended() || walk.EndIf(VerdictOfCases(walk.evaluation.verify()))) return absl::OkStatus();
  const std::optional<std::string> feature = UnsupportedFeature(walk.evaluation.verify());
  return feature.has_value() ? NotScreened(*feature) : absl::OkStatus();
}

absl::Status PipelineEvaluator::VerifyOnGpu(Walk& walk) const {
  const bool is_screened = !UnsupportedFeature(walk.evaluation.screen()).has_value();
  absl::StatusOr<GpuMeasurement> measured =
      Measure(*options_.measurer, walk.examinee(), walk.request.task->baseline,
              is_screened ? ScreenCases::kLeftOut : ScreenCases::kIncluded, options_.config, walk.scope);
  if (!measured.ok()) return measured.status();
  walk.measurement = *std::move(measured);
  // This stage did the next ones' work too: they say how long it took.
  walk.stage_duration = -walk.measurement->time_duration - walk.measurement->profile_duration;
  if (!walk.measurement->rejection.empty()) {
    walk.End({reward::v1::OUTCOME_REJECTED, walk.measurement->rejection});
    return absl::OkStatus();
  }
  *walk.evaluation.mutable_verify() = std::move(walk.measurement->verify);
  walk.EndIf(VerdictOfCases(walk.evaluation.verify()));
  return absl::OkStatus();
}

absl::Status PipelineEvaluator::Time(Walk& walk) const {
  if (walk.measurement.has_value()) {
    TimeOnGpu(walk);
    return absl::OkStatus();
  }
  absl::StatusOr<reward::v1::TimingReport> timing =
      analyzers::ModelTiming(walk.evaluation.verify(), walk.request.task->baseline_verify, options_.gpu);
  if (absl::IsInvalidArgument(timing.status())) {
    // The baseline was timed when the task was admitted, so this is the candidate's launch.
    walk.End({reward::v1::OUTCOME_REJECTED, std::string(timing.status().message())});
    return absl::OkStatus();
  }
  if (!timing.ok()) return absl::InternalError(absl::StrCat("cannot time: ", timing.status().message()));
  *walk.evaluation.mutable_timing() = *std::move(timing);
  return absl::OkStatus();
}

void PipelineEvaluator::TimeOnGpu(Walk& walk) const {
  walk.stage_duration = walk.measurement->time_duration;
  *walk.evaluation.mutable_timing() = std::move(walk.measurement->timing);
}

absl::Status PipelineEvaluator::Profile(Walk& walk) const {
  if (walk.measurement.has_value()) return ProfileOnGpu(walk);
  absl::StatusOr<reward::v1::ProfileReport> profile =
      analyzers::SummarizeProfile(walk.evaluation.verify(), options_.gpu);
  if (!profile.ok()) return absl::InternalError(absl::StrCat("cannot profile: ", profile.status().message()));
  *walk.evaluation.mutable_profile() = *std::move(profile);
  for (reward::v1::LaunchOccupancy& occupancy : analyzers::SummarizeOccupancy(walk.evaluation.verify(), options_.gpu)) {
    *walk.evaluation.mutable_analysis()->add_launch_occupancies() = std::move(occupancy);
  }
  return absl::OkStatus();
}

absl::Status PipelineEvaluator::ProfileOnGpu(Walk& walk) const {
  walk.stage_duration = walk.measurement->profile_duration;
  worker::v1::GpuProfileResponse& counted = walk.measurement->profile;
  if (counted.executions().empty()) return ProfileEmulated(walk, counted.counter_error());
  const std::vector<reward::v1::KernelExecution> executions(counted.executions().begin(), counted.executions().end());
  *walk.evaluation.mutable_profile() = analyzers::SummarizeHardwareProfile(executions, walk.measurement->transfers);
  const std::string limiter = analyzers::HardwareLimiter(walk.evaluation.profile());
  for (reward::v1::CaseTiming& timing : *walk.evaluation.mutable_timing()->mutable_cases()) timing.set_limiter(limiter);
  for (reward::v1::LaunchOccupancy& occupancy : analyzers::OccupanciesOf(executions, options_.gpu)) {
    *walk.evaluation.mutable_analysis()->add_launch_occupancies() = std::move(occupancy);
  }
  return absl::OkStatus();
}

absl::Status PipelineEvaluator::ProfileEmulated(Walk& walk, const std::string& counter_error) const {
  if (!counter_error.empty()) {
    options_.metrics->CountCounterError(counter_error);
    std::call_once(counters_told_, [&] {
      options_.log->Warning(
          "no hardware counters: profiles come from the emulated device",
          {{"reason", counter_error},
           {"remedy", "load the driver with NVreg_RestrictProfilingToAdminUsers=0, or stop the other profiler"}});
    });
  }
  absl::StatusOr<Examination> examined = Examine(*options_.judge, walk.examinee(), reward::v1::CASE_ROLE_MODEL,
                                                 Checkers::kOff, options_.config.limits(), walk.scope);
  if (!examined.ok()) return examined.status();
  absl::StatusOr<reward::v1::ProfileReport> profile = analyzers::SummarizeProfile(examined->report, options_.gpu);
  // What the emulated device cannot run has no profile here; its times stand.
  if (profile.ok()) *walk.evaluation.mutable_profile() = *std::move(profile);
  walk.evaluation.mutable_profile()->set_counter_error(counter_error);
  return absl::OkStatus();
}

absl::Status PipelineEvaluator::Rank(Walk& walk) const {
  walk.evaluation.mutable_rank()->set_absent_reason("no ranker model is loaded");
  // Every stage that judges has passed it.
  walk.End({reward::v1::OUTCOME_PASSED, ""});
  return absl::OkStatus();
}

absl::Status PipelineEvaluator::Reward(Walk& walk) const {
  absl::StatusOr<reward::v1::Reward> reward = ConcludeReward(options_.config, walk.request, walk.evaluation);
  if (!reward.ok()) return reward.status();
  *walk.evaluation.mutable_reward() = *std::move(reward);
  return absl::OkStatus();
}

absl::Status PipelineEvaluator::Feedback(Walk& walk) const {
  *walk.evaluation.mutable_feedback() = ConcludeFeedback(walk.request, walk.evaluation);
  return absl::OkStatus();
}

}  // namespace cudaperf::server
