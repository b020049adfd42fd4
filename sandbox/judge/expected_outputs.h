#ifndef CUDAPERF_SANDBOX_JUDGE_EXPECTED_OUTPUTS_H_
#define CUDAPERF_SANDBOX_JUDGE_EXPECTED_OUTPUTS_H_

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "absl/time/time.h"
#include "sandbox/judge/case_draw.h"
#include "sandbox/judge/random_stream.h"

namespace cudaperf::sandbox {

// Keeps drawings with their expected outputs, least recently used first to go, and the secret seed they were drawn
// from. The seed is renewed, and everything forgotten, each epoch. Not thread-safe.
class ExpectedOutputs {
 public:
  struct Key {
    std::string task_id;
    int case_index = 0;
    int call = 0;
    auto operator<=>(const Key&) const = default;
  };

  ExpectedOutputs(int64_t limit_bytes, absl::Duration epoch) : limit_bytes_(limit_bytes), epoch_(epoch) {}

  // Begins a request: its seed holds until the next one.
  const Seed& BeginRequest(absl::Time now);

  // Null when there is none.
  std::shared_ptr<const CaseDraw> Find(const Key& key);
  // One larger than the limit is not kept.
  void Insert(const Key& key, std::shared_ptr<const CaseDraw> draw);

  int64_t size_bytes() const { return size_bytes_; }

 private:
  struct Entry {
    Key key;
    std::shared_ptr<const CaseDraw> draw;
  };

  void Forget();

  const int64_t limit_bytes_;
  const absl::Duration epoch_;
  Seed seed_{};
  absl::Time epoch_end_ = absl::InfinitePast();
  int64_t size_bytes_ = 0;
  // Most recently used first.
  std::list<Entry> entries_;
  std::map<Key, std::list<Entry>::iterator> index_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_EXPECTED_OUTPUTS_H_
