#include "sandbox/judge/mismatch_pattern.h"

namespace cudaperf::sandbox {

namespace {

// Fewer equal distances than this are chance.
constexpr int64_t kLeastStridedCount = 4;

}  // namespace

void MismatchPatternFinder::Add(const WrongElement& element) {
  if (count_ == 0) {
    first_ = element.index;
  } else {
    const int64_t gap = element.index - last_;
    gap_ = count_ == 1 || gap == gap_ ? gap : 0;
  }
  last_ = element.index;
  ++count_;
  zero_count_ += element.is_zero;
  poison_count_ += element.is_poison;
  non_finite_count_ += element.is_non_finite;
}

reward::v1::MismatchPattern MismatchPatternFinder::Position(int64_t element_count) const {
  if (count_ == 0) return reward::v1::MISMATCH_PATTERN_UNSPECIFIED;
  if (count_ == element_count) return reward::v1::MISMATCH_PATTERN_ALL;
  if (last_ - first_ + 1 == count_) {
    if (last_ == element_count - 1) return reward::v1::MISMATCH_PATTERN_TAIL;
    if (first_ == 0) return reward::v1::MISMATCH_PATTERN_HEAD;
    return count_ > 1 ? reward::v1::MISMATCH_PATTERN_RUN : reward::v1::MISMATCH_PATTERN_SCATTERED;
  }
  if (gap_ > 1 && count_ >= kLeastStridedCount) return reward::v1::MISMATCH_PATTERN_STRIDED;
  return reward::v1::MISMATCH_PATTERN_SCATTERED;
}

reward::v1::MismatchPattern MismatchPatternFinder::Pattern(int64_t element_count) const {
  if (count_ > 0 && poison_count_ == count_) return reward::v1::MISMATCH_PATTERN_UNTOUCHED;
  if (count_ > 0 && non_finite_count_ == count_) return reward::v1::MISMATCH_PATTERN_NON_FINITE;
  if (count_ > 1 && zero_count_ == count_) return reward::v1::MISMATCH_PATTERN_ALL_ZERO;
  return Position(element_count);
}

int64_t MismatchPatternFinder::Stride(int64_t element_count) const {
  return Position(element_count) == reward::v1::MISMATCH_PATTERN_STRIDED ? gap_ : 0;
}

}  // namespace cudaperf::sandbox
