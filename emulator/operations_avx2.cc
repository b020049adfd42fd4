// The inner interpreter for processors with AVX2, FMA and F16C. Everything with code in it stays inside the namespace,
// so that no function built for one instruction set can stand in for the other's.
#include <immintrin.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "emulator/device_memory.h"
#include "emulator/directed_rounding.h"
#include "emulator/operations.h"

namespace cudaperf::emulator {
namespace avx2 {

#include "emulator/lanes/simd_avx2.inc"
#include "emulator/lanes/rows.inc"
#include "emulator/lanes/integer.inc"
#include "emulator/lanes/packed.inc"
#include "emulator/lanes/floating.inc"
#include "emulator/lanes/half.inc"
#include "emulator/lanes/conversion.inc"
#include "emulator/lanes/eight_bit_floats.inc"
#include "emulator/lanes/memory.inc"
#include "emulator/lanes/atomic.inc"
#include "emulator/lanes/warp_wide.inc"
#include "emulator/lanes/matrix.inc"
#include "emulator/lanes/mbarrier.inc"
#include "emulator/lanes/select.inc"
#include "emulator/lanes/loop.inc"

}  // namespace avx2

const OperationSet& Avx2Operations() {
  static constexpr OperationSet kSet{"avx2", avx2::Select, avx2::Run};
  return kSet;
}

}  // namespace cudaperf::emulator
