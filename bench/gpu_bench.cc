// What a node with a GPU does per second, how long a caller waits, and how well a measurement repeats.
//
//   gpu_bench [--tasks a,b,...] [--phases device-only,launchers,hostile,spread] [--levels none,core] [--concurrency 16]
//             [--seconds-per-phase 15] [--repeats 30] [--spread TASK/FILE] [--hostile NAME,...]
//             [--server HOST:PORT | -- FLAG OF CUDAPERFD ...]
//
// Starts one daemon after the other, each with a level of --levels as its --profile_level; phases `hostile` and
// `spread` are of the last one. A server of --server stays as it is. Progress goes to stderr, the tables to stdout.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "bench/arguments.h"
#include "bench/candidate_stream.h"
#include "bench/candidate_suite.h"
#include "bench/sample.h"
#include "bench/service_under_test.h"

namespace cudaperf::bench {
namespace {

// End by themselves and soon: before an answer, with a wrong one, or by a fault.
const std::vector<std::string> kHostile = {"exit_before_answer", "no_work",     "null_pointer",
                                           "nan_output",         "segfault",    "partial_write",
                                           "device_assert",      "late_answer", "hidden_fault"};

// One stream's row.
struct Row {
  std::string level;
  std::string stream;
  CandidateStream::Result result;
};

// One candidate evaluated again and again, alone.
struct Spread {
  std::string name;
  int failed_count = 0;
  Sample latency_ms;
  Sample median_us;
  Sample speedup;
  Sample reward;
  // Stage `profile`, milliseconds.
  Sample profile_ms;
};

std::string Figure(double value, int digits) {
  return std::isfinite(value) ? absl::StrFormat("%.*f", digits, value) : "-";
}

std::string Percent(double share) { return std::isfinite(share) ? absl::StrFormat("%.2f %%", 100 * share) : "-"; }

class GpuBench {
 public:
  explicit GpuBench(Arguments arguments) : arguments_(std::move(arguments)) {}

  absl::Status Run();

 private:
  absl::Status ReadFiles();
  absl::Status RunLevel(const std::string& level, bool is_last);
  void RunStream(const std::string& level, const std::string& stream,
                 const std::vector<server::CandidateFile>& candidates,
                 const std::vector<server::CandidateFile>& hostile);
  void WarmUp(const std::string& level);
  absl::Status RunSpread();
  absl::StatusOr<server::CandidateFile> SpreadCandidate() const;
  void EndLevel(const std::string& level);

  void PrintHead() const;
  void PrintThroughput() const;
  void PrintHostileShare() const;
  void PrintLatency() const;
  void PrintSpread() const;
  void PrintTroubles() const;

  bool Has(const std::string& phase) const { return phases_.contains(phase); }
  int concurrency() const { return arguments_.Count("concurrency", 16); }

  const Arguments arguments_;
  std::set<std::string> phases_;
  CandidateSuite suite_;
  std::vector<server::CandidateFile> hostile_;
  std::unique_ptr<ServiceUnderTest> service_;
  std::string identity_;
  bool is_measured_ = false;
  std::vector<Row> rows_;
  std::vector<Spread> spreads_;
  std::vector<std::string> warm_up_;
  std::vector<std::string> troubles_;
};

absl::Status GpuBench::ReadFiles() {
  static const std::set<std::string> kPhases = {"device-only", "launchers", "hostile", "spread"};
  for (const std::string& phase : arguments_.List("phases")) {
    if (!kPhases.contains(phase)) return absl::InvalidArgumentError(absl::StrCat("there is no phase ", phase));
    phases_.insert(phase);
  }
  if (phases_.empty()) phases_ = kPhases;
  absl::StatusOr<CandidateSuite> suite = CandidateSuite::Read(arguments_.List("tasks"));
  if (!suite.ok()) return suite.status();
  suite_ = *std::move(suite);
  if (!Has("hostile")) return absl::OkStatus();
  std::vector<std::string> names = arguments_.List("hostile");
  if (names.empty()) names = kHostile;
  absl::StatusOr<std::vector<server::CandidateFile>> hostile = suite_.ReadHostile(names);
  if (!hostile.ok()) {
    troubles_.push_back(absl::StrCat("no hostile stream: ", hostile.status().message()));
    phases_.erase("hostile");
    return absl::OkStatus();
  }
  hostile_ = *std::move(hostile);
  return absl::OkStatus();
}

absl::Status GpuBench::Run() {
  if (absl::Status status = ReadFiles(); !status.ok()) return status;
  std::vector<std::string> levels = arguments_.List("levels");
  if (levels.empty()) levels = {"none", "core"};
  if (!arguments_.Text("server").empty()) levels = {"server's"};
  absl::Status failure;
  for (size_t i = 0; i < levels.size() && failure.ok(); ++i) failure = RunLevel(levels[i], i + 1 == levels.size());
  if (rows_.empty() && spreads_.empty()) return failure;
  // What was measured before a failure is worth printing.
  PrintHead();
  PrintThroughput();
  PrintHostileShare();
  PrintLatency();
  PrintSpread();
  PrintTroubles();
  return failure;
}

absl::Status GpuBench::RunLevel(const std::string& level, bool is_last) {
  std::vector<std::string> flags = arguments_.daemon_flags();
  flags.push_back(absl::StrCat("--profile_level=", level));
  const std::string server = arguments_.Text("server");
  auto service = server.empty() ? ServiceUnderTest::Start(flags) : ServiceUnderTest::Connect(server);
  if (!service.ok()) return service.status();
  service_ = *std::move(service);
  identity_ = service_->Identity();
  is_measured_ = service_->description().timing_source() == reward::v1::TIMING_SOURCE_MEASURED;
  const absl::Time started_at = absl::Now();
  for (const std::string& refusal : service_->Register(suite_.tasks, concurrency())) {
    troubles_.push_back(absl::StrCat(level, ": registering ", refusal));
  }
  std::cerr << absl::StreamFormat("profile %s: %d tasks registered in %.1f s\n", level, suite_.tasks.size(),
                                  absl::ToDoubleSeconds(absl::Now() - started_at));
  WarmUp(level);
  if (Has("device-only")) RunStream(level, "device-only", suite_.device_only, {});
  if (Has("launchers")) RunStream(level, "launchers", suite_.launchers, {});
  if (is_last && Has("hostile")) RunStream(level, "device-only, 1 in 5 hostile", suite_.device_only, hostile_);
  absl::Status failure = is_last && Has("spread") ? RunSpread() : absl::OkStatus();
  EndLevel(level);
  return failure;
}

// A task's first candidate waits for what the next ones find ready: baseline, reference, buffers.
void GpuBench::WarmUp(const std::string& level) {
  std::map<std::string, server::CandidateFile> first;
  for (const auto* files : {&suite_.device_only, &suite_.launchers}) {
    for (const server::CandidateFile& file : *files) first.insert({file.task, file});
  }
  const absl::Time started_at = absl::Now();
  std::vector<std::thread> clients;
  for (const auto& [task, file] : first) {
    clients.emplace_back([this, &task, &file] {
      reward::v1::EvaluateKernelRequest request;
      request.set_task_id(task);
      request.mutable_candidate()->set_source(file.source);
      service_->Evaluate(request);
    });
  }
  for (std::thread& client : clients) client.join();
  warm_up_.push_back(absl::StrFormat("%s: first candidate of each of %d tasks answered within %.1f s", level,
                                     first.size(), absl::ToDoubleSeconds(absl::Now() - started_at)));
  std::cerr << "profile " << warm_up_.back() << "\n";
}

void GpuBench::RunStream(const std::string& level, const std::string& stream,
                         const std::vector<server::CandidateFile>& candidates,
                         const std::vector<server::CandidateFile>& hostile) {
  if (candidates.empty()) {
    troubles_.push_back(absl::StrCat(level, ": ", stream, ": no such candidates in these tasks"));
    return;
  }
  CandidateStream run({.service = service_.get(),
                       .candidates = candidates,
                       .hostile = hostile,
                       .concurrency = concurrency(),
                       .duration = absl::Seconds(arguments_.Count("seconds-per-phase", 15)),
                       .label = absl::StrCat("profile ", level, ": ", stream)});
  rows_.push_back({level, stream, run.Run()});
  const CandidateStream::Result& result = rows_.back().result;
  if (!result.is_complete) {
    troubles_.push_back(
        absl::StrCat(level, ": ", stream, ": given up, ", concurrency(), " clients had too few answers"));
  }
  for (const auto& [text, count] : result.unexpected) {
    troubles_.push_back(absl::StrCat(level, ": ", stream, ": unexpected ", count, " x ", text));
  }
  for (const std::string& error : result.counter_errors) {
    troubles_.push_back(absl::StrCat(level, ": ", stream, ": no counters: ", error));
  }
}

absl::StatusOr<server::CandidateFile> GpuBench::SpreadCandidate() const {
  const std::string wanted = arguments_.Text("spread");
  std::vector<server::CandidateFile> all = suite_.device_only;
  all.insert(all.end(), suite_.launchers.begin(), suite_.launchers.end());
  for (const server::CandidateFile& file : all) {
    if (wanted.empty() ? file.name == "fast.cu" : wanted == absl::StrCat(file.task, "/", file.name)) return file;
  }
  if (wanted.empty()) return all.front();
  return absl::NotFoundError(absl::StrCat("no candidate ", wanted, " that is expected to pass"));
}

absl::Status GpuBench::RunSpread() {
  const absl::StatusOr<server::CandidateFile> file = SpreadCandidate();
  if (!file.ok()) return file.status();
  Spread spread = {.name = absl::StrCat(file->task, "/", file->name)};
  reward::v1::EvaluateKernelRequest request;
  request.set_task_id(file->task);
  request.mutable_candidate()->set_source(file->source);
  request.set_skip_cache(true);
  const int repeats = arguments_.Count("repeats", 30);
  // The first one compiles and warms up: not counted.
  for (int i = 0; i <= repeats; ++i) {
    std::cerr << absl::StreamFormat("\rspread of %s: %d of %d", spread.name, i, repeats);
    const ServiceUnderTest::Answer answer = service_->Evaluate(request);
    const reward::v1::Evaluation& evaluation = answer.evaluation;
    if (!answer.status.ok() || evaluation.outcome() != reward::v1::OUTCOME_PASSED ||
        evaluation.timing().cases().empty()) {
      ++spread.failed_count;
      continue;
    }
    if (i == 0) continue;
    spread.latency_ms.Add(absl::ToDoubleMilliseconds(answer.latency));
    spread.median_us.Add(1e3 * Milliseconds(evaluation.timing().cases().rbegin()->candidate().median()));
    spread.speedup.Add(evaluation.timing().speedup());
    spread.reward.Add(evaluation.reward().value());
    for (const auto& stage : evaluation.provenance().stage_durations()) {
      if (stage.stage() == "profile") spread.profile_ms.Add(Milliseconds(stage.duration()));
    }
  }
  std::cerr << "\n";
  spreads_.push_back(std::move(spread));
  return absl::OkStatus();
}

void GpuBench::EndLevel(const std::string& level) {
  for (const auto& [text, count] : service_->Troubles())
    troubles_.push_back(absl::StrCat(level, ": ", count, " x ", text));
  const absl::Status stopped = service_->Stop();
  if (!stopped.ok()) troubles_.push_back(absl::StrCat(level, ": ", stopped.message()));
  if (const std::string log = service_->LogTail(); !log.empty())
    std::cerr << "last lines of the daemon's log:\n" << log << "\n";
  service_.reset();
}

void GpuBench::PrintHead() const {
  std::cout << "## gpu_bench, " << absl::FormatTime("%Y-%m-%d %H:%M UTC", absl::Now(), absl::UTCTimeZone()) << "\n\n"
            << identity_ << "\n\n    " << arguments_.command() << "\n\n"
            << (is_measured_ ? "Times are measured.\n" : "Times are modelled: no GPU ran anything.\n");
}

// Shares of the wall are of the stages' own time on the one judge of the GPU, so at most the judge's busy share.
void GpuBench::PrintThroughput() const {
  std::cout << "\n### Answers per second\n\n"
            << "Distinct candidates, " << concurrency() << " clients. Beforehand, profile "
            << absl::StrJoin(warm_up_, "; profile ") << ".\n\n"
            << "| profile | stream | answers/s | honest | hostile | s | passed | with counters | other statuses | time "
               "+ profile / wall |\n"
            << "|---|---|---|---|---|---|---|---|---|---|\n";
  for (const Row& row : rows_) {
    const CandidateStream::Result& result = row.result;
    double stage_ms = 0;
    for (const char* stage : {"time", "profile"}) {
      const auto found = result.stages.find(stage);
      if (found != result.stages.end()) stage_ms += found->second.Sum();
    }
    const double wall_ms = absl::ToDoubleMilliseconds(result.window);
    std::cout << absl::StreamFormat("| %s | %s | %s | %d | %d | %.1f | %d | %d | %d | %s |\n", row.level, row.stream,
                                    Figure(result.PerSecond(result.honest_count + result.hostile_count), 2),
                                    result.honest_count, result.hostile_count, absl::ToDoubleSeconds(result.window),
                                    result.latency.count(), result.counted_count, result.failed_status_count,
                                    is_measured_ ? Percent(stage_ms / wall_ms) : "-");
  }
}

void GpuBench::PrintHostileShare() const {
  for (const Row& mixed : rows_) {
    if (mixed.result.hostile_count == 0) continue;
    for (const Row& honest : rows_) {
      if (honest.level != mixed.level || honest.stream != "device-only") continue;
      const double alone = honest.result.PerSecond(honest.result.honest_count);
      const int all = mixed.result.honest_count + mixed.result.hostile_count;
      std::cout << absl::StreamFormat(
          "\nOne in five hostile (%s): %s of the honest stream's answers/s, %s counting honest answers only.\n",
          absl::StrJoin(hostile_, ", ", [](std::string* out, const auto& file) { out->append(file.name); }),
          Percent(mixed.result.PerSecond(all) / alone),
          Percent(mixed.result.PerSecond(mixed.result.honest_count) / alone));
    }
  }
}

void GpuBench::PrintLatency() const {
  std::vector<std::string> stages;
  std::string head = "| stage |", rule = "|---|";
  for (const Row& row : rows_) {
    absl::StrAppend(&head, " ", row.level, ": ", row.stream, " |");
    absl::StrAppend(&rule, "---|");
    for (const std::string& stage : row.result.stage_order) {
      if (std::find(stages.begin(), stages.end(), stage) == stages.end()) stages.push_back(stage);
    }
  }
  if (stages.empty()) return;
  const auto cell = [](const Sample& sample) {
    return absl::StrCat(" ", Figure(sample.Quantile(0.5), 1), " / ", Figure(sample.Quantile(0.95), 1), " |");
  };
  std::cout << "\n### Latency of honest candidates that passed, p50 / p95, ms\n\n"
            << head << "\n"
            << rule << "\n| whole call |";
  for (const Row& row : rows_) std::cout << cell(row.result.latency);
  for (const std::string& stage : stages) {
    std::cout << "\n| " << stage << " |";
    for (const Row& row : rows_) {
      const auto found = row.result.stages.find(stage);
      std::cout << (found == row.result.stages.end() ? " - |" : cell(found->second));
    }
  }
  std::cout << "\n";
}

void GpuBench::PrintSpread() const {
  for (const Spread& spread : spreads_) {
    std::cout << absl::StreamFormat("\n### %s, %d evaluations one after the other, caches skipped; %d failed\n\n",
                                    spread.name, spread.median_us.count(), spread.failed_count)
              << "| figure | p50 | p95 | standard deviation | cv |\n|---|---|---|---|---|\n";
    const auto row = [](const char* name, const Sample& sample, int digits) {
      std::cout << absl::StreamFormat("| %s | %s | %s | %s | %s |\n", name, Figure(sample.Median(), digits),
                                      Figure(sample.Quantile(0.95), digits), Figure(sample.StandardDeviation(), digits),
                                      Percent(sample.CoefficientOfVariation()));
    };
    row("candidate's median time, us", spread.median_us, 2);
    row("speedup", spread.speedup, 3);
    row("reward", spread.reward, 4);
    row("whole call, ms", spread.latency_ms, 1);
    row("stage profile, ms", spread.profile_ms, 1);
  }
}

void GpuBench::PrintTroubles() const {
  std::cout << "\n### Statuses other than OK, and unexpected outcomes\n\n";
  if (troubles_.empty()) std::cout << "None.\n";
  for (const std::string& trouble : troubles_) std::cout << "- " << trouble << "\n";
}

}  // namespace
}  // namespace cudaperf::bench

int main(int argc, char** argv) {
  const auto arguments = cudaperf::bench::Arguments::Parse(
      argc, argv,
      {"tasks", "phases", "levels", "concurrency", "seconds-per-phase", "repeats", "spread", "hostile", "server"});
  if (!arguments.ok()) {
    std::cerr << "gpu_bench: " << arguments.status().message() << "\n";
    return 2;
  }
  const absl::Status status = cudaperf::bench::GpuBench(*arguments).Run();
  if (!status.ok()) std::cerr << "gpu_bench: " << status << "\n";
  return status.ok() ? 0 : 1;
}
