#ifndef CUDAPERF_SANDBOX_TASK_EXPRESSION_H_
#define CUDAPERF_SANDBOX_TASK_EXPRESSION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "sandbox/task/sizes.h"

namespace cudaperf::sandbox {

// A whole-number formula over sizes, such as `ceil_div(rows * cols, 256)`: integers, names, + - * / % and unary minus,
// parentheses, `ceil_div(a, b)`, `min(a, b)`, `max(a, b)`, `pow2_ceil(a)` (smallest power of two >= a). Division
// truncates as in C; `ceil_div` rounds up. Immutable.
class Expression {
 public:
  static constexpr size_t kMaxLength = 1024;
  static constexpr int kMaxDepth = 64;

  // INVALID_ARGUMENT with the position and what was expected there.
  static absl::StatusOr<Expression> Parse(absl::string_view text);

  // INVALID_ARGUMENT for an unknown name, a division by zero, or a value outside 64 bits.
  absl::StatusOr<int64_t> Evaluate(const Sizes& sizes) const;

  // Every name used, in order of first use.
  const std::vector<std::string>& names() const { return names_; }

 private:
  friend class ExpressionParser;
  enum class Operation : uint8_t {
    kNumber,
    kName,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kModulo,
    kNegate,
    kCeilDiv,
    kMin,
    kMax,
    kPow2Ceil
  };
  struct Step {
    Operation operation;
    int64_t number = 0;  // kNumber: its value; kName: index into names_
  };

  std::vector<Step> steps_;  // postfix
  std::vector<std::string> names_;
};

// Parses and evaluates at once.
absl::StatusOr<int64_t> EvaluateExpression(absl::string_view text, const Sizes& sizes);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_TASK_EXPRESSION_H_
