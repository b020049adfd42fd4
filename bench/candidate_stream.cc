#include "bench/candidate_stream.h"

#include <algorithm>
#include <iostream>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"

namespace cudaperf::bench {
namespace {

// A stream whose window does not open within this many of its durations is given up.
constexpr int kPatience = 4;
constexpr absl::Duration kProgressInterval = absl::Seconds(2);

}  // namespace

double Milliseconds(const google::protobuf::Duration& duration) {
  return static_cast<double>(duration.seconds()) * 1e3 + duration.nanos() * 1e-6;
}

CandidateStream::Result CandidateStream::Run() {
  {
    absl::MutexLock lock(&mutex_);
    begun_at_ = told_at_ = absl::Now();
  }
  std::vector<std::thread> clients;
  for (int i = 0; i < options_.concurrency; ++i) clients.emplace_back([this] { Client(); });
  for (std::thread& client : clients) client.join();
  absl::MutexLock lock(&mutex_);
  const int count = result_.honest_count + result_.hostile_count;
  std::cerr << absl::StreamFormat("\r%-32s %d answers in %.1f s: %.2f/s; p50 %.0f ms, p95 %.0f ms\n", options_.label,
                                  count, absl::ToDoubleSeconds(result_.window), result_.PerSecond(count),
                                  result_.latency.Quantile(0.5), result_.latency.Quantile(0.95));
  return std::move(result_);
}

const server::CandidateFile& CandidateStream::Pick(int number) const {
  if (options_.hostile.empty()) return options_.candidates[number % options_.candidates.size()];
  if (IsHostile(number)) return options_.hostile[number / 5 % options_.hostile.size()];
  return options_.candidates[(number - number / 5) % options_.candidates.size()];
}

void CandidateStream::Client() {
  for (;;) {
    int number = 0;
    {
      absl::MutexLock lock(&mutex_);
      CloseAfter(absl::Now());
      if (is_closed_) return;
      number = sent_count_++;
    }
    const server::CandidateFile& file = Pick(number);
    reward::v1::EvaluateKernelRequest request;
    request.set_task_id(file.task);
    request.mutable_candidate()->set_source(
        absl::StrCat(file.source, "\n// ", number, " of ", absl::ToUnixNanos(absl::Now()), "\n"));
    const ServiceUnderTest::Answer answer = options_.service->Evaluate(request);
    absl::MutexLock lock(&mutex_);
    Count(number, answer);
  }
}

void CandidateStream::CloseAfter(absl::Time now) {
  if (is_closed_) return;
  const bool is_over = now - opened_at_ >= options_.duration;
  if (is_over || now - begun_at_ >= kPatience * options_.duration) {
    is_closed_ = true;
    result_.is_complete = is_over;
    result_.window = is_over ? options_.duration : std::max(now - opened_at_, absl::ZeroDuration());
  }
}

void CandidateStream::Count(int number, const ServiceUnderTest::Answer& answer) {
  const absl::Time now = absl::Now();
  CloseAfter(now);
  if (is_closed_) return;
  ++answer_count_;
  if (now - told_at_ >= kProgressInterval) {
    told_at_ = now;
    std::cerr << absl::StreamFormat("\r%-32s %d answers, %.0f s", options_.label, answer_count_,
                                    absl::ToDoubleSeconds(now - begun_at_));
  }
  if (opened_at_ == absl::InfiniteFuture()) {
    if (answer_count_ >= options_.concurrency) opened_at_ = now;
    return;
  }
  if (!answer.status.ok()) {
    ++result_.failed_status_count;
    return;
  }
  const server::CandidateFile& file = Pick(number);
  ++(IsHostile(number) ? result_.hostile_count : result_.honest_count);
  const reward::v1::Outcome outcome = answer.evaluation.outcome();
  if (!file.Accepts(outcome)) {
    ++result_.unexpected[absl::StrCat(file.task, "/", file.name, ": ", reward::v1::Outcome_Name(outcome), ": ",
                                      answer.evaluation.outcome_detail())];
  }
  if (!IsHostile(number) && outcome == reward::v1::OUTCOME_PASSED) CountPassed(answer);
}

void CandidateStream::CountPassed(const ServiceUnderTest::Answer& answer) {
  result_.latency.Add(absl::ToDoubleMilliseconds(answer.latency));
  const reward::v1::Evaluation& evaluation = answer.evaluation;
  const auto add = [this](const std::string& stage, const google::protobuf::Duration& duration) {
    if (!result_.stages.contains(stage)) result_.stage_order.push_back(stage);
    result_.stages[stage].Add(Milliseconds(duration));
  };
  add("queue", evaluation.provenance().queue_duration());
  for (const auto& stage : evaluation.provenance().stage_durations()) add(stage.stage(), stage.duration());
  if (evaluation.profile().source() == reward::v1::ProfileReport::SOURCE_CUPTI) ++result_.counted_count;
  if (const std::string& error = evaluation.profile().counter_error(); !error.empty())
    result_.counter_errors.insert(error);
}

}  // namespace cudaperf::bench
