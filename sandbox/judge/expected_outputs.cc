#include "sandbox/judge/expected_outputs.h"

#include <utility>

namespace cudaperf::sandbox {

const Seed& ExpectedOutputs::BeginRequest(absl::Time now) {
  if (now >= epoch_end_) {
    Forget();
    seed_ = RandomSeed();
    epoch_end_ = now + epoch_;
  }
  return seed_;
}

std::shared_ptr<const CaseDraw> ExpectedOutputs::Find(const Key& key) {
  const auto found = index_.find(key);
  if (found == index_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return entries_.front().draw;
}

void ExpectedOutputs::Insert(const Key& key, std::shared_ptr<const CaseDraw> draw) {
  const int64_t size = draw->size_bytes();
  if (size > limit_bytes_ || index_.contains(key)) return;
  while (size_bytes_ + size > limit_bytes_) {
    size_bytes_ -= entries_.back().draw->size_bytes();
    index_.erase(entries_.back().key);
    entries_.pop_back();
  }
  entries_.push_front({key, std::move(draw)});
  index_.emplace(key, entries_.begin());
  size_bytes_ += size;
}

void ExpectedOutputs::Forget() {
  entries_.clear();
  index_.clear();
  size_bytes_ = 0;
}

}  // namespace cudaperf::sandbox
