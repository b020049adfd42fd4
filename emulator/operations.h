#ifndef CUDAPERF_EMULATOR_OPERATIONS_H_
#define CUDAPERF_EMULATOR_OPERATIONS_H_

#include "emulator/instruction.h"
#include "emulator/warp.h"

namespace cudaperf::emulator {

// The interpreter's inner part, built once per instruction set of the host.
struct OperationSet {
  const char* name = "";
  // Null when the emulator lacks the instruction.
  Handler (*select)(const Instruction& instruction) = nullptr;
  // Runs the warp until none of its splits can.
  RunResult (*run)(Warp& warp) = nullptr;
};

const OperationSet& BaselineOperations();
const OperationSet& Avx2Operations();
// What this machine's processor can run.
const OperationSet& BestOperations();

}  // namespace cudaperf::emulator

#endif  // CUDAPERF_EMULATOR_OPERATIONS_H_
