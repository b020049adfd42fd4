#ifndef CUDAPERF_SANDBOX_TASK_HALF_H_
#define CUDAPERF_SANDBOX_TASK_HALF_H_

#include <cstdint>

namespace cudaperf::sandbox {

// IEEE binary16 by its bits. Exact; subnormals, infinities and NaN included.
float HalfToFloat(uint16_t bits);

// Rounds to nearest, ties to even; too large becomes infinity.
uint16_t FloatToHalf(float value);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_TASK_HALF_H_
