#ifndef CUDAPERF_EMULATOR_PROGRAM_H_
#define CUDAPERF_EMULATOR_PROGRAM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/instruction.h"

namespace cudaperf::emulator {

struct OperationSet;

struct SourceLine {
  int32_t file = 0;
  int32_t line = 0;
  friend bool operator==(const SourceLine&, const SourceLine&) = default;
};

// Rows every warp starts with, by byte offset: coordinates that PTX reads as special registers.
enum SystemRow : uint32_t {
  kTidX = 0,
  kTidY = 128,
  kTidZ = 256,
  kLaneId = 384,
  kWarpId = 512,
  kCtaidX = 640,
  kCtaidY = 768,
  kCtaidZ = 896,
  kNtidX = 1024,
  kNtidY = 1152,
  kNtidZ = 1280,
  kNctaidX = 1408,
  kNctaidY = 1536,
  kNctaidZ = 1664,
  kNwarpId = 1792,
  kDynamicSharedSize = 1920,
  kTotalSharedSize = 2048,
  kLaneMaskEq = 2176,
  kLaneMaskLt = 2304,
  kLaneMaskLe = 2432,
  kLaneMaskGt = 2560,
  kLaneMaskGe = 2688,
  kGridIdLow = 2816,
  kEnvironment1 = 2944,
  kEnvironment2 = 3072,
  kSystemRowsEnd = 3200,
};

// A constant row that holds the address of a module variable, known once the module is loaded.
struct Relocation {
  uint32_t constant_offset = 0;
  uint32_t variable = 0;
  int64_t addend = 0;
};

// What a call of a recursive function saves, and what it makes anew.
struct FrameLayout {
  struct Row {
    uint32_t offset = 0;
    uint32_t lane_bytes = 0;
  };
  // A `.local` variable: its address goes to `row`.
  struct Variable {
    uint32_t row = 0;
    uint32_t size_bytes = 0;
    uint32_t align_bytes = 1;
  };
  std::vector<Row> rows;
  std::vector<Variable> variables;
  uint32_t first_predicate = 0;
  uint32_t predicate_count = 0;
  // Its parameters and results in local memory.
  uint32_t first_local_byte = 0;
  uint32_t local_bytes = 0;
};

// A call of a recursive function: what is copied between its caller's and its own local memory.
struct CallSite {
  struct Copy {
    uint32_t caller = 0;
    uint32_t callee = 0;
    uint32_t bytes = 0;
  };
  uint32_t frame = 0;
  std::vector<Copy> arguments;
  std::vector<Copy> results;
};

// A kernel, its device functions inlined; recursive ones follow it.
struct Code {
  std::vector<Instruction> instructions;
  // Rows of vector operands, and targets of indexed branches.
  std::vector<uint32_t> elements;
  // What each instruction is called when it must be named, parallel to `instructions`; only filled for unsupported
  // ones.
  std::vector<std::string> unsupported;
  std::vector<SourceLine> lines;
  // Literal rows, 32 equal lanes each.
  std::vector<uint64_t> constants;
  std::vector<Relocation> relocations;
  uint32_t register_bytes = kSystemRowsEnd;
  uint32_t predicate_count = 0;
  uint32_t memory_count = 0;
  uint32_t static_shared_bytes = 0;
  uint32_t local_bytes = 0;
  // Recursion: where local memory's stack begins.
  uint32_t stack_begin = 0;
  std::vector<FrameLayout> frames;
  std::vector<CallSite> calls;
};

// An initial value that is an address: `.global .u64 p = x;`.
struct VariableRelocation {
  uint32_t variable = 0;
  int64_t offset_bytes = 0;
  uint32_t target = 0;
  int64_t addend = 0;
};

// What Module::Parse made, parallel to Module::kernels().
struct Program {
  // What the handlers were taken from.
  const OperationSet* operations = nullptr;
  std::vector<Code> kernels;
  std::vector<std::string> files;
  std::vector<VariableRelocation> relocations;
};

}  // namespace cudaperf::emulator

#endif  // CUDAPERF_EMULATOR_PROGRAM_H_
