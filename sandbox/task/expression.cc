#include "sandbox/task/expression.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace cudaperf::sandbox {
namespace {

bool IsNameStart(char c) { return absl::ascii_isalpha(c) || c == '_'; }
bool IsNamePart(char c) { return absl::ascii_isalnum(c) || c == '_'; }

// INT64_MIN / -1 has no 64-bit value either.
bool HasQuotient(int64_t a, int64_t b) { return b != 0 && !(a == std::numeric_limits<int64_t>::min() && b == -1); }

std::optional<int64_t> CeilDiv(int64_t a, int64_t b) {
  if (!HasQuotient(a, b)) return std::nullopt;
  const int64_t quotient = a / b;
  return (a % b != 0 && (a < 0) == (b < 0)) ? quotient + 1 : quotient;
}

std::optional<int64_t> Pow2Ceil(int64_t a) {
  if (a > (int64_t{1} << 62)) return std::nullopt;
  int64_t power = 1;
  while (power < a) power *= 2;
  return power;
}

}  // namespace

// Recursive descent; emits postfix steps. Depth counts parentheses, calls and signs.
class ExpressionParser {
 public:
  explicit ExpressionParser(absl::string_view text) : text_(text) {}

  absl::StatusOr<Expression> Parse() {
    if (text_.size() > Expression::kMaxLength) {
      return absl::InvalidArgumentError(
          absl::StrCat("expression is longer than ", Expression::kMaxLength, " characters"));
    }
    if (absl::Status status = ParseSum(0); !status.ok()) return status;
    SkipSpace();
    if (position_ < text_.size()) return Expected("an operator or the end");
    return std::move(expression_);
  }

 private:
  using Operation = Expression::Operation;

  absl::Status ParseSum(int depth) {
    if (absl::Status status = ParseProduct(depth); !status.ok()) return status;
    while (true) {
      SkipSpace();
      Operation operation;
      if (Take('+')) {
        operation = Operation::kAdd;
      } else if (Take('-')) {
        operation = Operation::kSubtract;
      } else {
        return absl::OkStatus();
      }
      if (absl::Status status = ParseProduct(depth); !status.ok()) return status;
      Emit(operation);
    }
  }

  absl::Status ParseProduct(int depth) {
    if (absl::Status status = ParseOperand(depth); !status.ok()) return status;
    while (true) {
      SkipSpace();
      Operation operation;
      if (Take('*')) {
        operation = Operation::kMultiply;
      } else if (Take('/')) {
        operation = Operation::kDivide;
      } else if (Take('%')) {
        operation = Operation::kModulo;
      } else {
        return absl::OkStatus();
      }
      if (absl::Status status = ParseOperand(depth); !status.ok()) return status;
      Emit(operation);
    }
  }

  absl::Status ParseOperand(int depth) {
    if (depth >= Expression::kMaxDepth) {
      return absl::InvalidArgumentError(absl::StrCat("expression nests deeper than ", Expression::kMaxDepth));
    }
    SkipSpace();
    if (Take('-')) {
      if (absl::Status status = ParseOperand(depth + 1); !status.ok()) return status;
      Emit(Operation::kNegate);
      return absl::OkStatus();
    }
    if (Take('(')) {
      if (absl::Status status = ParseSum(depth + 1); !status.ok()) return status;
      return Require(')');
    }
    if (position_ < text_.size() && absl::ascii_isdigit(text_[position_])) return ParseNumber();
    if (position_ < text_.size() && IsNameStart(text_[position_])) return ParseName(depth);
    return Expected("a number, a name or '('");
  }

  absl::Status ParseNumber() {
    const size_t start = position_;
    while (position_ < text_.size() && absl::ascii_isdigit(text_[position_])) ++position_;
    if (position_ < text_.size() && (IsNamePart(text_[position_]) || text_[position_] == '.')) {
      return Expected("a whole decimal number");
    }
    int64_t value = 0;
    if (!absl::SimpleAtoi(text_.substr(start, position_ - start), &value)) {
      return absl::InvalidArgumentError(absl::StrCat(text_.substr(start, position_ - start), " does not fit 64 bits"));
    }
    expression_.steps_.push_back({Operation::kNumber, value});
    return absl::OkStatus();
  }

  absl::Status ParseName(int depth) {
    const size_t start = position_;
    while (position_ < text_.size() && IsNamePart(text_[position_])) ++position_;
    const absl::string_view name = text_.substr(start, position_ - start);
    SkipSpace();
    if (Take('(')) return ParseCall(name, depth);
    auto& names = expression_.names_;
    auto place = std::find(names.begin(), names.end(), name);
    if (place == names.end()) place = names.insert(names.end(), std::string(name));
    expression_.steps_.push_back({Operation::kName, place - names.begin()});
    return absl::OkStatus();
  }

  absl::Status ParseCall(absl::string_view name, int depth) {
    struct Function {
      absl::string_view name;
      Operation operation;
      int argument_count;
    };
    static constexpr std::array<Function, 4> kFunctions = {{{"ceil_div", Operation::kCeilDiv, 2},
                                                            {"min", Operation::kMin, 2},
                                                            {"max", Operation::kMax, 2},
                                                            {"pow2_ceil", Operation::kPow2Ceil, 1}}};
    const auto* function =
        std::find_if(kFunctions.begin(), kFunctions.end(), [&](const Function& f) { return f.name == name; });
    if (function == kFunctions.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("unknown function ", name, "; there are ceil_div, min, max and pow2_ceil"));
    }
    for (int i = 0; i < function->argument_count; ++i) {
      if (i > 0) {
        if (absl::Status status = Require(','); !status.ok()) return status;
      }
      if (absl::Status status = ParseSum(depth + 1); !status.ok()) return status;
    }
    if (absl::Status status = Require(')'); !status.ok()) return status;
    Emit(function->operation);
    return absl::OkStatus();
  }

  void Emit(Operation operation) { expression_.steps_.push_back({operation}); }

  void SkipSpace() {
    while (position_ < text_.size() && absl::ascii_isspace(text_[position_])) ++position_;
  }

  bool Take(char c) {
    if (position_ >= text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }

  absl::Status Require(char c) {
    SkipSpace();
    if (Take(c)) return absl::OkStatus();
    return Expected(absl::StrCat("'", absl::string_view(&c, 1), "'"));
  }

  absl::Status Expected(absl::string_view what) const {
    if (position_ >= text_.size()) {
      return absl::InvalidArgumentError(absl::StrCat("`", text_, "` ends where ", what, " is expected"));
    }
    // All bytes of a character, or the sentence is no text any more.
    size_t end = position_ + 1;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
    return absl::InvalidArgumentError(absl::StrCat("`", text_, "` has '", text_.substr(position_, end - position_),
                                                   "' at position ", position_ + 1, " where ", what, " is expected"));
  }

  absl::string_view text_;
  size_t position_ = 0;
  Expression expression_;
};

absl::StatusOr<Expression> Expression::Parse(absl::string_view text) { return ExpressionParser(text).Parse(); }

absl::StatusOr<int64_t> Expression::Evaluate(const Sizes& sizes) const {
  std::vector<int64_t> stack;
  const auto pop = [&stack] {
    const int64_t value = stack.back();
    stack.pop_back();
    return value;
  };
  for (const Step& step : steps_) {
    if (step.operation == Operation::kNumber) {
      stack.push_back(step.number);
      continue;
    }
    if (step.operation == Operation::kName) {
      const auto size = sizes.find(names_[step.number]);
      if (size == sizes.end()) return absl::InvalidArgumentError(absl::StrCat("unknown name ", names_[step.number]));
      stack.push_back(size->second);
      continue;
    }
    const bool is_unary = step.operation == Operation::kNegate || step.operation == Operation::kPow2Ceil;
    const int64_t b = is_unary ? 0 : pop();
    const int64_t a = pop();
    int64_t result = 0;
    bool overflows = false;
    switch (step.operation) {
      case Operation::kAdd:
        overflows = __builtin_add_overflow(a, b, &result);
        break;
      case Operation::kSubtract:
        overflows = __builtin_sub_overflow(a, b, &result);
        break;
      case Operation::kMultiply:
        overflows = __builtin_mul_overflow(a, b, &result);
        break;
      case Operation::kNegate:
        overflows = __builtin_sub_overflow(int64_t{0}, a, &result);
        break;
      case Operation::kMin:
        result = std::min(a, b);
        break;
      case Operation::kMax:
        result = std::max(a, b);
        break;
      case Operation::kPow2Ceil: {
        const std::optional<int64_t> power = Pow2Ceil(a);
        overflows = !power.has_value();
        result = power.value_or(0);
        break;
      }
      default: {
        if (b == 0) return absl::InvalidArgumentError("division by zero");
        overflows = !HasQuotient(a, b);
        if (overflows) break;
        result = step.operation == Operation::kDivide   ? a / b
                 : step.operation == Operation::kModulo ? a % b
                                                        : *CeilDiv(a, b);
      }
    }
    if (overflows) return absl::InvalidArgumentError("value does not fit 64 bits");
    stack.push_back(result);
  }
  return stack.back();
}

absl::StatusOr<int64_t> EvaluateExpression(absl::string_view text, const Sizes& sizes) {
  absl::StatusOr<Expression> expression = Expression::Parse(text);
  if (!expression.ok()) return expression.status();
  return expression->Evaluate(sizes);
}

}  // namespace cudaperf::sandbox
