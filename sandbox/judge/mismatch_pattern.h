#ifndef CUDAPERF_SANDBOX_JUDGE_MISMATCH_PATTERN_H_
#define CUDAPERF_SANDBOX_JUDGE_MISMATCH_PATTERN_H_

#include <cstdint>

#include "cudaperf/reward/v1/report.pb.h"

namespace cudaperf::sandbox {

// What one wrong element holds.
struct WrongElement {
  int64_t index = 0;
  bool is_zero = false;
  bool is_poison = false;
  bool is_non_finite = false;
};

// Finds out where wrong elements lie, while they are told of in ascending order; needs constant memory.
class MismatchPatternFinder {
 public:
  void Add(const WrongElement& element);

  int64_t count() const { return count_; }
  // Of a buffer of `element_count` elements. What the elements hold says more than where they are.
  reward::v1::MismatchPattern Pattern(int64_t element_count) const;
  // Where, as far as it is regular: ALL, TAIL, HEAD, STRIDED, RUN or SCATTERED.
  reward::v1::MismatchPattern Position(int64_t element_count) const;
  // Distance between neighbours when STRIDED, else 0.
  int64_t Stride(int64_t element_count) const;
  int64_t first() const { return first_; }

 private:
  int64_t count_ = 0;
  int64_t first_ = 0;
  int64_t last_ = 0;
  // Between all neighbours so far; 0 when they differ.
  int64_t gap_ = 0;
  int64_t zero_count_ = 0;
  int64_t poison_count_ = 0;
  int64_t non_finite_count_ = 0;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_MISMATCH_PATTERN_H_
