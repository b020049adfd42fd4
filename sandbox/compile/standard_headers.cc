#include "sandbox/compile/standard_headers.h"

namespace cudaperf::sandbox {
namespace {

// 64-bit integers are `long long`, as in the toolkit's own headers when NVRTC reads them. Macros are spelled as
// cuda/std/climits and cuda/std/cstdint spell them, which a source may include as well. INFINITY and NAN are constant
// expressions.
constexpr char kImplicit[] = R"(#pragma once
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef int64_t intptr_t;
typedef uint64_t uintptr_t;
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-SHRT_MAX - 1)
#define SHRT_MAX 0x7fff
#define USHRT_MAX 0xffff
#define INT_MIN (-INT_MAX - 1)
#define INT_MAX 0x7fffffff
#define UINT_MAX 0xffffffff
#define LONG_MIN (-LONG_MAX - 1)
#define LONG_MAX LLONG_MAX
#define ULONG_MAX ULLONG_MAX
#define LLONG_MIN (-LLONG_MAX - 1)
#define LLONG_MAX 0x7fffffffffffffffLL
#define ULLONG_MAX 0xffffffffffffffffUL
#define INFINITY (__builtin_bit_cast(float, 0x7f800000u))
#define NAN (__builtin_bit_cast(float, 0x7fc00000u))
#define HUGE_VALF INFINITY
#define HUGE_VAL ((double)INFINITY)
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
)";

constexpr char kStdint[] = R"(#pragma once
typedef int8_t int_least8_t;
typedef int16_t int_least16_t;
typedef int32_t int_least32_t;
typedef int64_t int_least64_t;
typedef uint8_t uint_least8_t;
typedef uint16_t uint_least16_t;
typedef uint32_t uint_least32_t;
typedef uint64_t uint_least64_t;
typedef int8_t int_fast8_t;
typedef int16_t int_fast16_t;
typedef int32_t int_fast32_t;
typedef int64_t int_fast64_t;
typedef uint8_t uint_fast8_t;
typedef uint16_t uint_fast16_t;
typedef uint32_t uint_fast32_t;
typedef uint64_t uint_fast64_t;
typedef int64_t intmax_t;
typedef uint64_t uintmax_t;
#define INT8_MIN SCHAR_MIN
#define INT16_MIN SHRT_MIN
#define INT32_MIN INT_MIN
#define INT64_MIN LLONG_MIN
#define INT8_MAX SCHAR_MAX
#define INT16_MAX SHRT_MAX
#define INT32_MAX INT_MAX
#define INT64_MAX LLONG_MAX
#define UINT8_MAX UCHAR_MAX
#define UINT16_MAX USHRT_MAX
#define UINT32_MAX UINT_MAX
#define UINT64_MAX ULLONG_MAX
#define INTPTR_MIN INT64_MIN
#define INTPTR_MAX INT64_MAX
#define UINTPTR_MAX UINT64_MAX
#define INTMAX_MAX INT64_MAX
#define UINTMAX_MAX UINT64_MAX
#define PTRDIFF_MAX INT64_MAX
#define SIZE_MAX UINT64_MAX
#define INT64_C(X) ((::int_least64_t)(X))
#define UINT32_C(X) ((::uint_least32_t)(X))
#define UINT64_C(X) ((::uint_least64_t)(X))
)";

constexpr char kCstdint[] = R"(#pragma once
#include <stdint.h>
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
using ::int_least8_t; using ::int_least16_t; using ::int_least32_t; using ::int_least64_t;
using ::uint_least8_t; using ::uint_least16_t; using ::uint_least32_t; using ::uint_least64_t;
using ::int_fast8_t; using ::int_fast16_t; using ::int_fast32_t; using ::int_fast64_t;
using ::uint_fast8_t; using ::uint_fast16_t; using ::uint_fast32_t; using ::uint_fast64_t;
using ::intptr_t; using ::uintptr_t; using ::intmax_t; using ::uintmax_t;
}
)";

constexpr char kFloat[] = R"(#pragma once
#define FLT_RADIX 2
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define FLT_MIN_EXP (-125)
#define FLT_MAX_EXP 128
#define FLT_MIN_10_EXP (-37)
#define FLT_MAX_10_EXP 38
#define FLT_EPSILON 1.19209289550781250e-7F
#define FLT_MIN 1.17549435082228750797e-38F
#define FLT_MAX 3.40282346638528859812e+38F
#define FLT_TRUE_MIN 1.40129846432481707092e-45F
#define DBL_DIG 15
#define DBL_MANT_DIG 53
#define DBL_MIN_EXP (-1021)
#define DBL_MAX_EXP 1024
#define DBL_MIN_10_EXP (-307)
#define DBL_MAX_10_EXP 308
#define DBL_EPSILON 2.22044604925031308085e-16
#define DBL_MIN 2.22507385850720138309e-308
#define DBL_MAX 1.79769313486231570815e+308
#define DBL_TRUE_MIN 4.94065645841246544177e-324
)";

constexpr char kCmath[] = R"(#pragma once
namespace std {
using ::abs; using ::acos; using ::acosh; using ::asin; using ::asinh; using ::atan; using ::atan2; using ::atanh;
using ::cbrt; using ::ceil; using ::copysign; using ::cos; using ::cosh; using ::erf; using ::erfc; using ::exp;
using ::exp2; using ::expm1; using ::fabs; using ::fdim; using ::floor; using ::fma; using ::fmax; using ::fmin;
using ::fmod; using ::frexp; using ::hypot; using ::isfinite; using ::isinf; using ::isnan; using ::ldexp;
using ::lgamma; using ::log; using ::log10; using ::log1p; using ::log2; using ::lrint; using ::lround;
using ::modf; using ::nearbyint; using ::pow; using ::remainder; using ::rint; using ::round; using ::signbit;
using ::sin; using ::sinh; using ::sqrt; using ::tan; using ::tanh; using ::tgamma; using ::trunc;
using ::acosf; using ::asinf; using ::atanf; using ::atan2f; using ::ceilf; using ::cosf; using ::coshf; using ::expf;
using ::exp2f; using ::fabsf; using ::floorf; using ::fmaf; using ::fmaxf; using ::fminf; using ::fmodf; using ::log10f;
using ::log2f; using ::logf; using ::powf; using ::rintf; using ::roundf; using ::sinf; using ::sinhf; using ::sqrtf;
using ::tanf; using ::tanhf; using ::truncf;
}
)";

// Overloads for the built-in types alone; anything else of <algorithm> is nvcc's to find.
constexpr char kAlgorithm[] = "#pragma once\nnamespace std {\nusing ::max;\nusing ::min;\n}\n";
constexpr char kCstddef[] = "#pragma once\nnamespace std {\nusing ::ptrdiff_t;\nusing ::size_t;\n}\n";
constexpr char kCstdlib[] =
    "#pragma once\nnamespace std {\nusing ::abs;\nusing ::free;\nusing ::malloc;\nusing ::size_t;\n}\n";
constexpr char kCstring[] = "#pragma once\nnamespace std {\nusing ::memcpy;\nusing ::memset;\nusing ::size_t;\n}\n";
constexpr char kCstdio[] = "#pragma once\nnamespace std {\nusing ::printf;\nusing ::size_t;\n}\n";
constexpr char kLimits[] =
    "#pragma once\n#include <cuda/std/limits>\nnamespace std {\nusing cuda::std::numeric_limits;\n}\n";
// What it declares is built in or implicit.
constexpr char kNothingToAdd[] = "#pragma once\n";

constexpr StandardHeader kHeaders[] = {
    {kImplicitHeader, kImplicit}, {"algorithm", kAlgorithm},   {"assert.h", kNothingToAdd}, {"cassert", kNothingToAdd},
    {"cfloat", kFloat},           {"climits", kNothingToAdd},  {"cmath", kCmath},           {"cstddef", kCstddef},
    {"cstdint", kCstdint},        {"cstdio", kCstdio},         {"cstdlib", kCstdlib},       {"cstring", kCstring},
    {"float.h", kFloat},          {"limits", kLimits},         {"limits.h", kNothingToAdd}, {"math.h", kNothingToAdd},
    {"stdbool.h", kNothingToAdd}, {"stddef.h", kNothingToAdd}, {"stdint.h", kStdint},       {"stdio.h", kNothingToAdd},
    {"stdlib.h", kNothingToAdd},  {"string.h", kNothingToAdd}};

}  // namespace

std::span<const StandardHeader> StandardHeaders() { return kHeaders; }

}  // namespace cudaperf::sandbox
