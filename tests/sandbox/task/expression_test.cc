#include "sandbox/task/expression.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace cudaperf::sandbox {
namespace {

constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();

int64_t Value(const std::string& text, const Sizes& sizes = {{"n", 1000}, {"rows", 7}, {"big", kLargest}}) {
  const absl::StatusOr<int64_t> value = EvaluateExpression(text, sizes);
  EXPECT_TRUE(value.ok()) << text << ": " << value.status();
  return value.value_or(-999);
}

std::string Error(const std::string& text, const Sizes& sizes = {{"n", 1000}, {"big", kLargest}}) {
  const absl::StatusOr<int64_t> value = EvaluateExpression(text, sizes);
  EXPECT_TRUE(absl::IsInvalidArgument(value.status())) << text;
  return std::string(value.status().message());
}

TEST(ExpressionTest, ProductsBindTighterThanSums) {
  EXPECT_EQ(Value("1 + 2 * 3"), 7);
  EXPECT_EQ(Value("(1 + 2) * 3"), 9);
  EXPECT_EQ(Value("20 - 5 - 3"), 12);
  EXPECT_EQ(Value("100 / 7 % 5"), 4);
  EXPECT_EQ(Value("-n + 1"), -999);
  EXPECT_EQ(Value("2 * -3"), -6);
}

TEST(ExpressionTest, DivisionTruncatesAndCeilDivRoundsUp) {
  EXPECT_EQ(Value("-7 / 2"), -3);
  EXPECT_EQ(Value("-7 % 2"), -1);
  EXPECT_EQ(Value("ceil_div(n, 256)"), 4);
  EXPECT_EQ(Value("ceil_div(1024, 256)"), 4);
  EXPECT_EQ(Value("ceil_div(0, 256)"), 0);
  EXPECT_EQ(Value("ceil_div(-7, 2)"), -3);
  EXPECT_EQ(Value("ceil_div(big, 2)"), kLargest / 2 + 1);
}

TEST(ExpressionTest, FunctionsNest) {
  EXPECT_EQ(Value("min(max(rows, 3), n)"), 7);
  EXPECT_EQ(Value("pow2_ceil(n)"), 1024);
  EXPECT_EQ(Value("pow2_ceil(1024)"), 1024);
  EXPECT_EQ(Value("pow2_ceil(0)"), 1);
}

TEST(ExpressionTest, ValuesOutsideSixtyFourBitsAreErrors) {
  EXPECT_EQ(Error("big + 1"), "value does not fit 64 bits");
  EXPECT_EQ(Error("big * 2"), "value does not fit 64 bits");
  EXPECT_EQ(Error("0 - big - 2"), "value does not fit 64 bits");
  EXPECT_EQ(Error("(0 - big - 1) / -1"), "value does not fit 64 bits");
  EXPECT_EQ(Error("(0 - big - 1) % -1"), "value does not fit 64 bits");
  EXPECT_EQ(Error("-(0 - big - 1)"), "value does not fit 64 bits");
  EXPECT_EQ(Error("pow2_ceil(big)"), "value does not fit 64 bits");
  EXPECT_EQ(Error("9223372036854775808"), "9223372036854775808 does not fit 64 bits");
}

TEST(ExpressionTest, DivisionByZeroIsAnError) {
  EXPECT_EQ(Error("n / 0"), "division by zero");
  EXPECT_EQ(Error("n % (5 - 5)"), "division by zero");
  EXPECT_EQ(Error("ceil_div(n, 0)"), "division by zero");
}

TEST(ExpressionTest, ErrorsSayWhereAndWhatIsMissing) {
  EXPECT_EQ(Error("n +"), "`n +` ends where a number, a name or '(' is expected");
  EXPECT_EQ(Error(""), "`` ends where a number, a name or '(' is expected");
  EXPECT_EQ(Error("n é"), "`n é` has 'é' at position 3 where an operator or the end is expected");
  EXPECT_EQ(Error("n n"), "`n n` has 'n' at position 3 where an operator or the end is expected");
  EXPECT_EQ(Error("min(n)"), "`min(n)` has ')' at position 6 where ',' is expected");
  EXPECT_EQ(Error("sqrt(n)"), "unknown function sqrt; there are ceil_div, min, max and pow2_ceil");
  EXPECT_EQ(Error("m + 1"), "unknown name m");
  Error("1.5");
  Error("0x10");
  Error("1 ** 2");
}

TEST(ExpressionTest, DepthAndLengthAreBounded) {
  EXPECT_TRUE(Expression::Parse(std::string(60, '(') + "1" + std::string(60, ')')).ok());
  EXPECT_FALSE(Expression::Parse(std::string(70, '(') + "1" + std::string(70, ')')).ok());
  EXPECT_FALSE(Expression::Parse(std::string(500, '-') + "1").ok());
  EXPECT_FALSE(Expression::Parse(std::string(Expression::kMaxLength + 1, '1')).ok());
}

TEST(ExpressionTest, NamesAreListedOnceInOrder) {
  const absl::StatusOr<Expression> expression = Expression::Parse("b * a + min(b, c)");
  ASSERT_TRUE(expression.ok());
  EXPECT_EQ(expression->names(), (std::vector<std::string>{"b", "a", "c"}));
}

}  // namespace
}  // namespace cudaperf::sandbox
