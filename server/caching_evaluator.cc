#include "server/caching_evaluator.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/duration.h"
#include "server/conclusion.h"

namespace cudaperf::server {
namespace {

std::string KeyOf(const EvaluationRequest& request) {
  return absl::StrCat(request.task->task_id, " ", request.candidate_digest);
}

bool MayRead(const EvaluationRequest& request) {
  return request.cache_use == EvaluationRequest::CacheUse::kReadAndWrite;
}

}  // namespace

CachingEvaluator::CachingEvaluator(std::unique_ptr<Evaluator> evaluator, config::v1::ServerConfig config,
                                   ServerMetrics* metrics)
    : evaluator_(std::move(evaluator)), config_(std::move(config)), metrics_(metrics) {}

std::optional<reward::v1::Evaluation> CachingEvaluator::Recall(const EvaluationRequest& request) {
  if (!MayRead(request)) return std::nullopt;
  const Evidence evidence = Find(KeyOf(request));
  if (evidence == nullptr) return std::nullopt;
  absl::StatusOr<reward::v1::Evaluation> answer = Answer(request, evidence);
  if (!answer.ok()) return std::nullopt;
  metrics_->CountCacheHit("result");
  return *std::move(answer);
}

absl::StatusOr<reward::v1::Evaluation> CachingEvaluator::Evaluate(const EvaluationRequest& request,
                                                                  const sandbox::CallScope& scope) {
  const std::string key = KeyOf(request);
  if (!MayRead(request)) {
    absl::StatusOr<Evidence> evidence = Compute(key, request, scope);
    if (!evidence.ok()) return evidence.status();
    return **evidence;
  }
  if (std::optional<reward::v1::Evaluation> known = Recall(request)) return *std::move(known);
  absl::StatusOr<Evidence> evidence = flights_.Do(key, scope, [&] { return Compute(key, request, scope); });
  if (!evidence.ok()) return evidence.status();
  if ((*evidence)->evaluation_id() == request.evaluation_id) return **evidence;
  metrics_->CountCacheHit("result");
  return Answer(request, *evidence);
}

absl::StatusOr<CachingEvaluator::Evidence> CachingEvaluator::Compute(const std::string& key,
                                                                     const EvaluationRequest& request,
                                                                     const sandbox::CallScope& scope) {
  metrics_->CountCacheMiss("result");
  absl::StatusOr<reward::v1::Evaluation> evaluation = evaluator_->Evaluate(request, scope);
  if (!evaluation.ok()) return evaluation.status();
  auto evidence = std::make_shared<const reward::v1::Evaluation>(*std::move(evaluation));
  Keep(key, evidence);
  return evidence;
}

absl::StatusOr<reward::v1::Evaluation> CachingEvaluator::Answer(const EvaluationRequest& request,
                                                                const Evidence& evidence) const {
  reward::v1::Evaluation answer = *evidence;
  answer.set_evaluation_id(request.evaluation_id);
  reward::v1::Provenance* provenance = answer.mutable_provenance();
  provenance->set_cache_hit(true);
  provenance->set_reward_policy(request.reward_policy);
  *provenance->mutable_queue_duration() = proto::ToProto(request.queue_duration);
  absl::StatusOr<reward::v1::Reward> reward = ConcludeReward(config_, request, answer);
  if (!reward.ok()) return reward.status();
  *answer.mutable_reward() = *std::move(reward);
  *answer.mutable_feedback() = ConcludeFeedback(request, answer);
  return answer;
}

CachingEvaluator::Evidence CachingEvaluator::Find(const std::string& key) {
  absl::MutexLock lock(&mutex_);
  const auto found = index_.find(key);
  if (found == index_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->evidence;
}

void CachingEvaluator::Keep(const std::string& key, Evidence evidence) {
  if (config_.result_cache_entries() == 0) return;
  absl::MutexLock lock(&mutex_);
  if (const auto found = index_.find(key); found != index_.end()) {
    found->second->evidence = std::move(evidence);
    return;
  }
  while (static_cast<int64_t>(entries_.size()) >= config_.result_cache_entries()) {
    index_.erase(entries_.back().key);
    entries_.pop_back();
  }
  entries_.push_front({key, std::move(evidence)});
  index_[key] = entries_.begin();
}

}  // namespace cudaperf::server
