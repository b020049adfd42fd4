// How the emulated device's counters and modelled times compare with what a GPU counts and measures, candidate by
// candidate.
//
//   fidelity_bench [--tasks a,b,...] [--level core] [--concurrency 8] [--server HOST:PORT] [-- FLAG OF CUDAPERFD ...]
//
// Both sides get a copy of each task that has one MODEL case and no FULL one, so that the GPU times and profiles the
// very calls that the emulated device counts. Starts two daemons, the second with --device=emulated; --server, a daemon
// with a GPU, takes the first one's place. Progress goes to stderr, the tables to stdout.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <future>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "bench/arguments.h"
#include "bench/candidate_stream.h"
#include "bench/candidate_suite.h"
#include "bench/counter_comparison.h"
#include "bench/sample.h"
#include "bench/service_under_test.h"

namespace cudaperf::bench {
namespace {

// Counts within this share of each other agree.
constexpr double kAgreement = 0.01;
// Fewer variants have no rank correlation worth a figure.
constexpr size_t kLeastRanked = 3;

constexpr const char* kNotes = R"(
Figures are (emulated / counted); percent: emulated over counted, less one. Definitions that differ
(`sandbox/cupti/README.md`):

- The emulated device counts PTX, a GPU the machine code that ptxas made of it: accesses that ptxas merged or removed
  are in the first only.
- fp32 and fp64 FLOPs: in PTX a division is one, a square root or an exponential none; in machine code they are
  several additions and multiplications.
- fp16 FLOPs: compilers load constants by HFMA2; a GPU counts those.
- Divergent branches: a guarded `bra` in PTX is often a predicated instruction in machine code, which cannot diverge.
- Bank conflicts: the GPU's counter is some tenths of a percent above the arithmetic of kernels whose conflicts are
  known.
- Tensor FLOPs are not counted at level CORE and are left out there. Asynchronous copies count as loads; atomics on
  neither side.
- Counted time is gpu__time_duration in the profiler's replay; measured time is that of the timed iterations.
)";

// One candidate on both sides.
struct Variant {
  server::CandidateFile file;
  bool is_launcher = false;
  ServiceUnderTest::Answer gpu;
  ServiceUnderTest::Answer emulated;
  // Why nothing is compared; empty when it is.
  std::string lack;
  std::vector<CounterComparison> comparisons;

  double measured_us() const { return Microseconds(gpu.evaluation); }
  double modelled_us() const { return Microseconds(emulated.evaluation); }
  double counted_us() const { return 1e3 * Milliseconds(gpu.evaluation.profile().hardware().duration()); }
  bool IsTimed() const { return measured_us() > 0 && modelled_us() > 0; }
  bool Agrees(CounterComparison::Kind kind) const {
    return std::all_of(comparisons.begin(), comparisons.end(),
                       [&](const auto& one) { return one.kind != kind || one.AgreesWithin(kAgreement); });
  }

 private:
  static double Microseconds(const reward::v1::Evaluation& evaluation) {
    if (evaluation.timing().cases().empty()) return 0;
    return 1e3 * Milliseconds(evaluation.timing().cases().rbegin()->candidate().median());
  }
};

// Equal values share the mean of their ranks.
std::vector<double> Ranks(const std::vector<double>& values) {
  std::vector<double> ranks;
  for (const double value : values) {
    double below = 0, same = 0;
    for (const double other : values) {
      below += other < value;
      same += other == value;
    }
    ranks.push_back(below + (same + 1) / 2);
  }
  return ranks;
}

// Spearman's: Pearson's correlation of the ranks. NaN when either side is all the same.
double RankCorrelation(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> x = Ranks(a), y = Ranks(b);
  const double mean = (static_cast<double>(a.size()) + 1) / 2;
  double xy = 0, xx = 0, yy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
  }
  return xy / std::sqrt(xx * yy);
}

std::string Percent(double share) { return std::isfinite(share) ? absl::StrFormat("%.1f %%", 100 * share) : "-"; }

std::string ModelCaseName(const std::string& task) { return absl::StrCat(task, "-model-case"); }

// The task with its last MODEL case as the only one beside those for screening.
reward::v1::Task OnlyModelCase(reward::v1::Task task) {
  task.set_name(ModelCaseName(task.name()));
  const auto cases = task.cuda().cases();
  task.mutable_cuda()->clear_cases();
  const reward::v1::Case* model = nullptr;
  for (const reward::v1::Case& one : cases) {
    if (one.role() == reward::v1::CASE_ROLE_MODEL) model = &one;
    if (one.role() == reward::v1::CASE_ROLE_SCREEN) *task.mutable_cuda()->add_cases() = one;
  }
  if (model != nullptr) *task.mutable_cuda()->add_cases() = *model;
  return task;
}

class FidelityBench {
 public:
  explicit FidelityBench(Arguments arguments) : arguments_(std::move(arguments)) {}

  absl::Status Run();

 private:
  absl::Status ReadFiles();
  absl::Status StartServices();
  void Register();
  void EvaluateAll();
  void EvaluateBoth(Variant& variant);
  std::string LackOf(const Variant& variant) const;
  void End();

  void PrintHead() const;
  void PrintAgreement() const;
  void PrintFigures() const;
  void PrintRanks() const;
  void PrintVariants() const;
  void PrintTroubles() const;

  size_t ComparedCount() const {
    return std::count_if(variants_.begin(), variants_.end(), [](const Variant& one) { return one.lack.empty(); });
  }
  int concurrency() const { return arguments_.Count("concurrency", 8); }

  const Arguments arguments_;
  reward::v1::ProfileLevel level_ = reward::v1::PROFILE_LEVEL_CORE;
  std::map<std::string, reward::v1::Task> tasks_;
  std::vector<Variant> variants_;
  std::unique_ptr<ServiceUnderTest> gpu_;
  std::unique_ptr<ServiceUnderTest> emulated_;
  bool is_measured_ = false;
  std::vector<std::string> troubles_;
};

absl::Status FidelityBench::ReadFiles() {
  const std::string level = arguments_.Text("level", "core");
  if (level != "core" && level != "full") return absl::InvalidArgumentError("--level: core or full");
  if (level == "full") level_ = reward::v1::PROFILE_LEVEL_FULL;
  absl::StatusOr<CandidateSuite> suite = CandidateSuite::Read(arguments_.List("tasks"));
  if (!suite.ok()) return suite.status();
  for (const auto& [name, task] : suite->tasks) tasks_[name] = OnlyModelCase(task);
  for (server::CandidateFile& file : suite->device_only) variants_.push_back({.file = std::move(file)});
  for (server::CandidateFile& file : suite->launchers)
    variants_.push_back({.file = std::move(file), .is_launcher = true});
  return absl::OkStatus();
}

absl::Status FidelityBench::StartServices() {
  std::vector<std::string> flags = arguments_.daemon_flags();
  flags.push_back(absl::StrCat("--profile_level=", arguments_.Text("level", "core")));
  const std::string server = arguments_.Text("server");
  auto gpu = server.empty() ? ServiceUnderTest::Start(flags) : ServiceUnderTest::Connect(server);
  if (!gpu.ok()) return gpu.status();
  gpu_ = *std::move(gpu);
  std::erase_if(flags, [](const std::string& flag) { return absl::StartsWith(flag, "--device"); });
  flags.push_back("--device=emulated");
  auto emulated = ServiceUnderTest::Start(flags);
  if (!emulated.ok()) return emulated.status();
  emulated_ = *std::move(emulated);
  is_measured_ = gpu_->description().timing_source() == reward::v1::TIMING_SOURCE_MEASURED;
  return absl::OkStatus();
}

void FidelityBench::Register() {
  std::future<std::vector<std::string>> there =
      std::async(std::launch::async, [&] { return emulated_->Register(tasks_, concurrency()); });
  for (const std::string& refusal : gpu_->Register(tasks_, concurrency()))
    troubles_.push_back("gpu: registering " + refusal);
  for (const std::string& refusal : there.get()) troubles_.push_back("emulated: registering " + refusal);
}

// Why the two answers cannot be compared.
std::string FidelityBench::LackOf(const Variant& variant) const {
  for (const auto& [side, answer] : {std::pair{"gpu", &variant.gpu}, std::pair{"emulated", &variant.emulated}}) {
    if (!answer->status.ok()) return absl::StrCat(side, ": no answer: ", answer->status.error_message());
    const reward::v1::Evaluation& evaluation = answer->evaluation;
    if (evaluation.outcome() != reward::v1::OUTCOME_PASSED) {
      return absl::StrCat(side, ": ", reward::v1::Outcome_Name(evaluation.outcome()), ": ",
                          evaluation.outcome_detail());
    }
  }
  const reward::v1::ProfileReport& counted = variant.gpu.evaluation.profile();
  if (is_measured_ && counted.source() != reward::v1::ProfileReport::SOURCE_CUPTI) {
    return absl::StrCat("gpu: no counters: ", counted.counter_error());
  }
  return "";
}

void FidelityBench::EvaluateBoth(Variant& variant) {
  reward::v1::EvaluateKernelRequest request;
  request.set_task_id(tasks_.at(variant.file.task).name());
  request.mutable_candidate()->set_source(variant.file.source);
  request.set_skip_cache(true);
  std::future<ServiceUnderTest::Answer> there =
      std::async(std::launch::async, [&] { return emulated_->Evaluate(request); });
  variant.gpu = gpu_->Evaluate(request);
  variant.emulated = there.get();
  variant.lack = LackOf(variant);
  if (!variant.lack.empty()) return;
  variant.comparisons = Compare(variant.emulated.evaluation.profile(), variant.gpu.evaluation.profile(), level_);
}

void FidelityBench::EvaluateAll() {
  std::atomic<size_t> next = 0, done = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < concurrency(); ++i) {
    clients.emplace_back([&] {
      for (size_t n = next++; n < variants_.size(); n = next++) {
        EvaluateBoth(variants_[n]);
        std::cerr << absl::StrFormat("\r%d of %d variants", ++done, variants_.size());
      }
    });
  }
  for (std::thread& client : clients) client.join();
  std::cerr << "\n";
  std::stable_sort(variants_.begin(), variants_.end(),
                   [](const Variant& a, const Variant& b) { return a.file.task < b.file.task; });
}

absl::Status FidelityBench::Run() {
  if (absl::Status status = ReadFiles(); !status.ok()) return status;
  if (absl::Status status = StartServices(); !status.ok()) return status;
  Register();
  EvaluateAll();
  End();
  PrintHead();
  PrintAgreement();
  PrintFigures();
  PrintRanks();
  PrintVariants();
  PrintTroubles();
  std::cout << kNotes;
  return ComparedCount() > 0 ? absl::OkStatus() : absl::FailedPreconditionError("nothing was compared");
}

void FidelityBench::End() {
  for (const auto& [side, service] : {std::pair{"gpu", gpu_.get()}, std::pair{"emulated", emulated_.get()}}) {
    for (const auto& [text, count] : service->Troubles())
      troubles_.push_back(absl::StrCat(side, ": ", count, " x ", text));
    const absl::Status stopped = service->Stop();
    if (!stopped.ok()) troubles_.push_back(absl::StrCat(side, ": ", stopped.message()));
    if (const std::string log = service->LogTail(); !log.empty())
      std::cerr << side << ": last lines of the log:\n" << log << "\n";
  }
}

void FidelityBench::PrintHead() const {
  std::cout << "## fidelity_bench, " << absl::FormatTime("%Y-%m-%d %H:%M UTC", absl::Now(), absl::UTCTimeZone())
            << "\n\nCounted and measured: " << gpu_->Identity()
            << "\n\nEmulated and modelled: " << emulated_->Identity() << "\n\n    " << arguments_.command() << "\n\n";
  if (!is_measured_)
    std::cout << "No GPU ran anything: both sides are the emulated device, and this is a check of this program.\n\n";
}

void FidelityBench::PrintAgreement() const {
  const auto share = [&](auto agrees) {
    const auto count = std::count_if(variants_.begin(), variants_.end(),
                                     [&](const Variant& one) { return one.lack.empty() && agrees(one); });
    return absl::StrFormat("%d of %d (%s)", count, ComparedCount(),
                           Percent(static_cast<double>(count) / static_cast<double>(ComparedCount())));
  };
  using Kind = CounterComparison::Kind;
  std::cout << absl::StreamFormat(
                   "%d variants, %d compared. Within %.0f %%:\n\n| variants that agree on | |\n|---|---|\n",
                   variants_.size(), ComparedCount(), 100 * kAgreement)
            << "| all requests, sectors and FLOPs | "
            << share([](const Variant& one) { return one.Agrees(Kind::kTraffic) && one.Agrees(Kind::kArithmetic); })
            << " |\n| all requests and sectors | "
            << share([](const Variant& one) { return one.Agrees(Kind::kTraffic); }) << " |\n| all FLOPs | "
            << share([](const Variant& one) { return one.Agrees(Kind::kArithmetic); }) << " |\n";
}

void FidelityBench::PrintFigures() const {
  struct Summary {
    int present_count = 0;
    int agreeing_count = 0;
    Sample differences;
  };
  std::vector<std::string> order;
  std::map<std::string, Summary> summaries;
  for (const Variant& variant : variants_) {
    for (const CounterComparison& one : variant.comparisons) {
      if (!one.IsPresent()) continue;
      if (!summaries.contains(one.name)) order.push_back(one.name);
      Summary& summary = summaries[one.name];
      ++summary.present_count;
      summary.agreeing_count += one.AgreesWithin(kAgreement);
      summary.differences.Add(std::abs(one.RelativeDifference()));
    }
  }
  std::cout << "\n| figure | variants that have any | agree | difference p50 | largest |\n|---|---|---|---|---|\n";
  for (const std::string& name : order) {
    const Summary& summary = summaries[name];
    const double largest = summary.differences.Quantile(1);
    std::cout << absl::StreamFormat("| %s | %d | %d | %s | %s |\n", name, summary.present_count, summary.agreeing_count,
                                    Percent(summary.differences.Median()),
                                    std::isfinite(largest) ? Percent(largest) : "none counted");
  }
}

void FidelityBench::PrintRanks() const {
  std::cout
      << "\n### Modelled against measured time within each task\n\n| task | variants | Spearman |\n|---|---|---|\n";
  Sample correlations;
  for (const auto& [name, task] : tasks_) {
    std::vector<double> modelled, measured;
    for (const Variant& variant : variants_) {
      if (variant.file.task != name || !variant.IsTimed()) continue;
      modelled.push_back(variant.modelled_us());
      measured.push_back(variant.measured_us());
    }
    const double correlation = measured.size() < kLeastRanked ? NAN : RankCorrelation(modelled, measured);
    if (std::isfinite(correlation)) correlations.Add(correlation);
    std::cout << absl::StreamFormat("| %s | %d | %s |\n", name, measured.size(),
                                    std::isfinite(correlation) ? absl::StrFormat("%.2f", correlation) : "-");
  }
  if (correlations.count() == 0) return;
  std::cout << absl::StreamFormat("| median of %d tasks | | %.2f |\n", correlations.count(), correlations.Median());
}

void FidelityBench::PrintVariants() const {
  std::cout << "\n### Each variant\n\n| task | variant | measured us | counted us | modelled us | modelled / measured "
               "| differs by "
               "more than 1 % |\n|---|---|---|---|---|---|---|\n";
  for (const Variant& variant : variants_) {
    std::vector<std::string> differences;
    for (const CounterComparison& one : variant.comparisons) {
      if (!one.AgreesWithin(kAgreement)) differences.push_back(one.Text());
    }
    const std::string text = variant.lack.empty() ? absl::StrJoin(differences, "; ") : "not compared: " + variant.lack;
    const auto time = [](double microseconds) {
      return microseconds > 0 ? absl::StrFormat("%.2f", microseconds) : std::string("-");
    };
    std::cout << absl::StreamFormat(
        "| %s | %s%s | %s | %s | %s | %s | %s |\n", variant.file.task, variant.file.name,
        variant.is_launcher ? " (launcher)" : "", time(variant.measured_us()), time(variant.counted_us()),
        time(variant.modelled_us()),
        variant.IsTimed() ? absl::StrFormat("%.2f", variant.modelled_us() / variant.measured_us()) : "-", text);
  }
}

void FidelityBench::PrintTroubles() const {
  std::cout << "\n### Statuses other than OK\n\n";
  if (troubles_.empty()) std::cout << "None.\n";
  for (const std::string& trouble : troubles_) std::cout << "- " << trouble << "\n";
}

}  // namespace
}  // namespace cudaperf::bench

int main(int argc, char** argv) {
  const auto arguments = cudaperf::bench::Arguments::Parse(argc, argv, {"tasks", "level", "concurrency", "server"});
  if (!arguments.ok()) {
    std::cerr << "fidelity_bench: " << arguments.status().message() << "\n";
    return 2;
  }
  const absl::Status status = cudaperf::bench::FidelityBench(*arguments).Run();
  if (!status.ok()) std::cerr << "fidelity_bench: " << status << "\n";
  return status.ok() ? 0 : 1;
}
