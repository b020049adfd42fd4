#include "emulator/operations.h"

namespace cudaperf::emulator {

const OperationSet& BestOperations() {
  const bool fits = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
  return fits ? Avx2Operations() : BaselineOperations();
}

}  // namespace cudaperf::emulator
