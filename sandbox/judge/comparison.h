#ifndef CUDAPERF_SANDBOX_JUDGE_COMPARISON_H_
#define CUDAPERF_SANDBOX_JUDGE_COMPARISON_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "cudaperf/reward/v1/report.pb.h"
#include "cudaperf/reward/v1/task.pb.h"

namespace cudaperf::sandbox {

// The tolerance with every default filled in.
struct ElementTolerance {
  double relative = 0;
  double scaled = 0;
  bool allow_non_finite = false;
};

ElementTolerance ToleranceOf(const reward::v1::CudaTask& task, const reward::v1::Parameter& parameter);

// Root mean square of a buffer's finite elements; 0 for integers, which are compared exactly.
double RootMeanSquare(absl::string_view bytes, reward::v1::DataType type);

// True when every element is finite; always for integers.
bool IsFinite(absl::string_view bytes, reward::v1::DataType type);

// One output buffer against its expected content, both of `type` and of the same size.
struct Comparison {
  absl::string_view got;
  absl::string_view expected;
  reward::v1::DataType type = reward::v1::DATA_TYPE_UNSPECIFIED;
  ElementTolerance tolerance;
  // RootMeanSquare of `expected`.
  double expected_rms = 0;
  // Whether every expected element is finite, where that is known.
  std::optional<bool> expected_is_finite;
  // What the buffer held before the call: a repeated byte, or nothing when it held input.
  std::optional<uint8_t> poison;
};

// Absent when every element is right (see task.proto, Tolerance). The parameter's name is left to the caller.
std::optional<reward::v1::Mismatch> Compare(const Comparison& comparison);

// `3 of 1000 elements are wrong (the last 3, never written); element 997: got 0, expected 1.5`.
std::string DescribeMismatch(const reward::v1::Mismatch& mismatch);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_COMPARISON_H_
