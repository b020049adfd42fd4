#ifndef CUDAPERF_SERVER_CACHING_EVALUATOR_H_
#define CUDAPERF_SERVER_CACHING_EVALUATOR_H_

#include <cstdint>
#include <list>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "cudaperf/config/v1/server_config.pb.h"
#include "server/evaluator.h"
#include "server/server_metrics.h"
#include "server/single_flight.h"

namespace cudaperf::server {

// Keeps evaluations by task and candidate, the one used longest ago leaving first when full, and computes identical
// requests in flight once. Reward and feedback are concluded afresh from the kept evidence. Failures of ours are never
// kept. Thread-safe.
class CachingEvaluator : public Evaluator {
 public:
  // `metrics` is not owned; outlives this. The cache's bound is the config's; 0 keeps nothing.
  CachingEvaluator(std::unique_ptr<Evaluator> evaluator, config::v1::ServerConfig config, ServerMetrics* metrics);

  absl::StatusOr<reward::v1::Evaluation> Evaluate(const EvaluationRequest& request,
                                                  const sandbox::CallScope& scope) override;
  std::optional<reward::v1::Evaluation> Recall(const EvaluationRequest& request) override;

 private:
  using Evidence = std::shared_ptr<const reward::v1::Evaluation>;
  struct Entry {
    std::string key;
    Evidence evidence;
  };

  Evidence Find(const std::string& key) ABSL_LOCKS_EXCLUDED(mutex_);
  void Keep(const std::string& key, Evidence evidence) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<Evidence> Compute(const std::string& key, const EvaluationRequest& request,
                                   const sandbox::CallScope& scope);
  absl::StatusOr<reward::v1::Evaluation> Answer(const EvaluationRequest& request, const Evidence& evidence) const;

  const std::unique_ptr<Evaluator> evaluator_;
  const config::v1::ServerConfig config_;
  ServerMetrics* const metrics_;
  SingleFlight<Evidence> flights_;
  absl::Mutex mutex_;
  // Used last first.
  std::list<Entry> entries_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<std::string, std::list<Entry>::iterator> index_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_CACHING_EVALUATOR_H_
