// Built with -frounding-math: the compiler may not move arithmetic across a change of mode.
#include "emulator/directed_rounding.h"

#include <cfenv>
#include <cmath>

namespace cudaperf::emulator {
namespace {

class ScopedRounding {
 public:
  explicit ScopedRounding(Rounding rounding) : saved_(std::fegetround()) {
    std::fesetround(rounding == Rounding::kZero   ? FE_TOWARDZERO
                    : rounding == Rounding::kDown ? FE_DOWNWARD
                    : rounding == Rounding::kUp   ? FE_UPWARD
                                                  : FE_TONEAREST);
  }
  ScopedRounding(const ScopedRounding&) = delete;
  ScopedRounding& operator=(const ScopedRounding&) = delete;
  ~ScopedRounding() { std::fesetround(saved_); }

 private:
  int saved_;
};

template <typename T>
T Arithmetic(Opcode opcode, Rounding rounding, T a, T b, T c) {
  const ScopedRounding scope(rounding);
  volatile T x = a, y = b, z = c, result;
  switch (opcode) {
    case Opcode::kAdd:
      result = x + y;
      break;
    case Opcode::kSub:
      result = x - y;
      break;
    case Opcode::kMul:
      result = x * y;
      break;
    case Opcode::kDiv:
      result = x / y;
      break;
    case Opcode::kFma:
    case Opcode::kMad:
      result = std::fma(T{x}, T{y}, T{z});
      break;
    case Opcode::kRcp:
      result = T{1} / x;
      break;
    case Opcode::kSqrt:
      result = std::sqrt(T{x});
      break;
    default:
      result = x;
      break;
  }
  return result;
}

template <typename To, typename From>
To Converted(Rounding rounding, From value) {
  const ScopedRounding scope(rounding);
  volatile From from = value;
  volatile To to = static_cast<To>(from);
  return to;
}

}  // namespace

float RoundedArithmetic(Opcode opcode, Rounding rounding, float a, float b, float c) {
  return Arithmetic(opcode, rounding, a, b, c);
}
double RoundedArithmetic(Opcode opcode, Rounding rounding, double a, double b, double c) {
  return Arithmetic(opcode, rounding, a, b, c);
}
float RoundedFloat(Rounding rounding, double value) { return Converted<float>(rounding, value); }
float RoundedFloat(Rounding rounding, int64_t value) { return Converted<float>(rounding, value); }
// uint64 conversions are instruction sequences that round twice: through the exact long double they round once.
float RoundedFloat(Rounding rounding, uint64_t value) {
  return Converted<float>(rounding, static_cast<long double>(value));
}
double RoundedDouble(Rounding rounding, int64_t value) { return Converted<double>(rounding, value); }
double RoundedDouble(Rounding rounding, uint64_t value) {
  return Converted<double>(rounding, static_cast<long double>(value));
}

}  // namespace cudaperf::emulator
