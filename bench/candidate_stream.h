#ifndef CUDAPERF_BENCH_CANDIDATE_STREAM_H_
#define CUDAPERF_BENCH_CANDIDATE_STREAM_H_

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "bench/sample.h"
#include "bench/service_under_test.h"
#include "tests/server/candidate_file.h"

namespace cudaperf::bench {

// Clients that send distinct candidates for a while, each as soon as it has its answer. A comment behind every source
// makes each candidate one that no cache knows. Used once.
class CandidateStream {
 public:
  struct Options {
    // Not owned; outlives this.
    ServiceUnderTest* service = nullptr;
    // Sent in turn.
    std::vector<server::CandidateFile> candidates;
    // One candidate in five, in turn; may be empty.
    std::vector<server::CandidateFile> hostile;
    int concurrency = 1;
    absl::Duration duration;
    // Names the stream in the progress line.
    std::string label;
  };

  // Answers in the window, which opens when as many answers as clients have come and is `duration` long.
  struct Result {
    int honest_count = 0;
    int hostile_count = 0;
    int failed_status_count = 0;
    absl::Duration window;
    // The window was as long as asked for; else answers came too slowly and the stream was given up.
    bool is_complete = false;
    // Of honest candidates that passed: whole calls and stages, in milliseconds.
    Sample latency;
    std::vector<std::string> stage_order;
    std::map<std::string, Sample> stages;
    // `task/file: OUTCOME: detail` of outcomes that the file does not expect.
    std::map<std::string, int> unexpected;
    // Structural profile of how many came from counters of a GPU.
    int counted_count = 0;
    std::set<std::string> counter_errors;

    double PerSecond(int count) const { return count / absl::ToDoubleSeconds(window); }
  };

  explicit CandidateStream(Options options) : options_(std::move(options)) {}

  Result Run();

 private:
  const server::CandidateFile& Pick(int number) const;
  bool IsHostile(int number) const { return !options_.hostile.empty() && number % 5 == 4; }
  void Client();
  void Count(int number, const ServiceUnderTest::Answer& answer) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CountPassed(const ServiceUnderTest::Answer& answer) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CloseAfter(absl::Time now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Options options_;
  absl::Mutex mutex_;
  int sent_count_ ABSL_GUARDED_BY(mutex_) = 0;
  int answer_count_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Time begun_at_ ABSL_GUARDED_BY(mutex_);
  absl::Time opened_at_ ABSL_GUARDED_BY(mutex_) = absl::InfiniteFuture();
  absl::Time told_at_ ABSL_GUARDED_BY(mutex_);
  bool is_closed_ ABSL_GUARDED_BY(mutex_) = false;
  Result result_ ABSL_GUARDED_BY(mutex_);
};

// Duration field in milliseconds.
double Milliseconds(const google::protobuf::Duration& duration);

}  // namespace cudaperf::bench

#endif  // CUDAPERF_BENCH_CANDIDATE_STREAM_H_
