#ifndef CUDAPERF_EMULATOR_MODIFIERS_H_
#define CUDAPERF_EMULATOR_MODIFIERS_H_

#include <optional>
#include <string_view>

#include "emulator/instruction.h"
#include "emulator/ptx_source.h"

namespace cudaperf::emulator {

Opcode ParseOpcode(std::string_view word);

// `m16n8k16` and the like.
std::optional<MatrixShape> ParseMatrixShape(std::string_view word);

// Reads the words after the opcode into the instruction. False when one of them is unknown: the instruction may then
// mean something else than it seems, so it counts as unsupported.
bool ParseModifiers(const PtxStatement& statement, Instruction& instruction);

}  // namespace cudaperf::emulator

#endif  // CUDAPERF_EMULATOR_MODIFIERS_H_
