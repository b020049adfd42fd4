#ifndef CUDAPERF_EMULATOR_DIRECTED_ROUNDING_H_
#define CUDAPERF_EMULATOR_DIRECTED_ROUNDING_H_

#include <cstdint>

#include "emulator/instruction.h"

namespace cudaperf::emulator {

// Arithmetic in the rounding modes other than to nearest (.rz, .rm, .rp): rare, so by switching the processor's mode.
float RoundedArithmetic(Opcode opcode, Rounding rounding, float a, float b, float c);
double RoundedArithmetic(Opcode opcode, Rounding rounding, double a, double b, double c);
float RoundedFloat(Rounding rounding, double value);
float RoundedFloat(Rounding rounding, int64_t value);
float RoundedFloat(Rounding rounding, uint64_t value);
double RoundedDouble(Rounding rounding, int64_t value);
double RoundedDouble(Rounding rounding, uint64_t value);

}  // namespace cudaperf::emulator

#endif  // CUDAPERF_EMULATOR_DIRECTED_ROUNDING_H_
