#ifndef CUDAPERF_EMULATOR_INSTRUCTION_H_
#define CUDAPERF_EMULATOR_INSTRUCTION_H_

#include <cstdint>

namespace cudaperf::emulator {

inline constexpr int kWarpLanes = 32;
inline constexpr uint32_t kAllLanes = 0xffffffffu;

// First words of PTX instructions: X(enumerator, text).
#define CUDAPERF_EMULATOR_OPCODES(X)                                                                                   \
  X(Abs, "abs") X(Activemask, "activemask") X(Add, "add") X(Addc, "addc") X(And, "and") X(Atom, "atom") X(Bar, "bar")  \
  X(Barrier, "barrier") X(Bfe, "bfe") X(Bfi, "bfi") X(Bfind, "bfind") X(Bmsk, "bmsk") X(Bra, "bra") X(Brev, "brev")    \
  X(Brkpt, "brkpt") X(Brx, "brx") X(Call, "call") X(Clz, "clz") X(Cnot, "cnot") X(Copysign, "copysign") X(Cos, "cos")  \
  X(Cp, "cp") X(Cvt, "cvt") X(Cvta, "cvta") X(Discard, "discard") X(Div, "div") X(Dp2a, "dp2a") X(Dp4a, "dp4a")        \
  X(Elect, "elect") X(Ex2, "ex2") X(Exit, "exit") X(Fence, "fence") X(Fma, "fma") X(Fns, "fns")                        \
  X(Griddep, "griddepcontrol") X(Isspacep, "isspacep") X(Ld, "ld") X(Ldmatrix, "ldmatrix") X(Ldu, "ldu")               \
  X(Lg2, "lg2") X(Lop3, "lop3") X(Mad, "mad") X(Mad24, "mad24") X(Madc, "madc") X(Match, "match") X(Max, "max")        \
  X(Mbarrier, "mbarrier") X(Membar, "membar") X(Min, "min") X(Mma, "mma") X(Mov, "mov") X(Mul, "mul")                  \
  X(Mul24, "mul24") X(Nanosleep, "nanosleep") X(Neg, "neg") X(Not, "not") X(Or, "or") X(Pmevent, "pmevent")            \
  X(Popc, "popc") X(Prefetch, "prefetch") X(Prefetchu, "prefetchu") X(Prmt, "prmt") X(Rcp, "rcp") X(Red, "red")        \
  X(Redux, "redux") X(Rem, "rem") X(Ret, "ret") X(Rsqrt, "rsqrt") X(Sad, "sad") X(Selp, "selp") X(Set, "set")          \
  X(Setp, "setp") X(Shf, "shf") X(Shfl, "shfl") X(Shl, "shl") X(Shr, "shr") X(Sin, "sin") X(Slct, "slct")              \
  X(Sqrt, "sqrt") X(St, "st") X(Stmatrix, "stmatrix") X(Sub, "sub") X(Subc, "subc") X(Szext, "szext") X(Tanh, "tanh")  \
  X(Testp, "testp") X(Trap, "trap") X(Vabsdiff2, "vabsdiff2") X(Vabsdiff4, "vabsdiff4") X(Vadd2, "vadd2")              \
  X(Vadd4, "vadd4") X(Vavrg2, "vavrg2") X(Vavrg4, "vavrg4") X(Vmax2, "vmax2") X(Vmax4, "vmax4") X(Vmin2, "vmin2")      \
  X(Vmin4, "vmin4") X(Vote, "vote") X(Vsub2, "vsub2") X(Vsub4, "vsub4") X(Wmma, "wmma") X(Xor, "xor")

enum class Opcode : uint8_t {
  kUnknown,
#define CUDAPERF_EMULATOR_ENUMERATOR(name, text) k##name,
  CUDAPERF_EMULATOR_OPCODES(CUDAPERF_EMULATOR_ENUMERATOR)
#undef CUDAPERF_EMULATOR_ENUMERATOR
};

enum class Type : uint8_t {
  kNone, kPred, kB8, kB16, kB32, kB64, kB128, kU8, kU16, kU32, kU64, kS8, kS16, kS32, kS64,
  kF16, kF16x2, kBf16, kBf16x2, kTf32, kF32, kF64, kE4m3x2, kE5m2x2, kU16x2, kS16x2,
};

int SizeOf(Type type);
bool IsSigned(Type type);
bool IsFloat(Type type);

enum class Space : uint8_t { kGeneric, kGlobal, kShared, kLocal, kParam, kConstant };
enum class Rounding : uint8_t { kNone, kNearest, kZero, kDown, kUp };
enum class Compare : uint8_t { kEq, kNe, kLt, kLe, kGt, kGe, kEqu, kNeu, kLtu, kLeu, kGtu, kGeu, kNum, kNan };
// Mode words of shfl, vote, match, redux, atom, and the boolean of setp.
enum class Mode : uint8_t {
  kNone, kUp, kDown, kBfly, kIdx, kAll, kAny, kUni, kBallot, kAdd, kMin, kMax, kAnd, kOr, kXor, kInc, kDec, kExch, kCas,
  kPopc, kSync, kArrive, kWrap, kClamp, kLo, kHi, kWide, kF4e, kB4e, kRc8, kEcl, kEcr, kRc16,
  // wmma and mbarrier: what is done, and to which matrix (C stands for D too).
  kLoad, kStore, kMultiply, kMatrixA, kMatrixB, kMatrixC, kInit, kInvalidate, kWait, kWaitParity, kPending, kExpect,
};

// What the interpreter's loop itself does about an instruction.
enum class Control : uint8_t { kNone, kBranch, kIndexedBranch, kExit, kBarrier, kCall, kReturn, kUnsupported };

// Sizes of a matrix instruction: D (m x n) = A (m x k) B (k x n) + C. Kept in Instruction::immediate.
struct MatrixShape {
  int m = 0, n = 0, k = 0;
  constexpr int64_t Pack() const { return int64_t{m} << 32 | int64_t{n} << 16 | k; }
  static constexpr MatrixShape Unpack(int64_t packed) {
    return MatrixShape{static_cast<int>(packed >> 32), static_cast<int>(packed >> 16 & 0xffff),
                       static_cast<int>(packed & 0xffff)};
  }
};

struct Warp;
struct Instruction;
// Executes one instruction for the lanes of `mask`, which is not empty. False stops the launch: the fault is in the
// warp.
using Handler = bool (*)(Warp& warp, const Instruction& instruction, uint32_t mask);

// Operands are rows of 32 lanes: byte offsets into the warp's registers, or into the program's constants when this bit
// is set.
inline constexpr uint32_t kConstantRow = 0x80000000u;
inline constexpr uint32_t kNoRow = 0x7fffffffu;
// Predicate operands: index * 2 + 1 when negated.
inline constexpr uint32_t kNoPredicate = 0xffffffffu;
inline constexpr uint32_t kNoPc = 0xffffffffu;

// One decoded instruction.
struct Instruction {
  Handler handler = nullptr;
  uint32_t dst = kNoRow, a = kNoRow, b = kNoRow, c = kNoRow;
  // Predicates: written (p, q) and read.
  uint32_t p = kNoPredicate, q = kNoPredicate, source_predicate = kNoPredicate;
  uint32_t guard = kNoPredicate;
  // Address offset, lop3 table and other literals.
  int64_t immediate = 0;
  // Branch target; where its lanes meet again, kNoPc when they only meet at the end.
  uint32_t target = kNoPc, reconverge = kNoPc;
  // First of `element_count` rows in Code::elements.
  uint32_t elements = 0;
  // Index of its memory statistics, when it accesses memory.
  uint32_t memory = 0;
  // Index into Code::lines.
  uint32_t line = 0;
  uint8_t element_count = 1;
  Opcode opcode = Opcode::kUnknown;
  Control control = Control::kNone;
  Type type = Type::kNone, type2 = Type::kNone, type3 = Type::kNone, type4 = Type::kNone;
  Space space = Space::kGeneric;
  Rounding rounding = Rounding::kNone;
  Compare compare = Compare::kEq;
  Mode mode = Mode::kNone, boolean = Mode::kNone, half = Mode::kNone;
  // Sizes of the registers named, which may be wider than the type.
  uint8_t dst_bytes = 0, a_bytes = 0, b_bytes = 0, c_bytes = 0;
  bool ftz = false, saturate = false, relu = false, approx = false, to_integer = false, carry_out = false;
  bool is_volatile = false, transposed = false, is_red = false, nan = false, xorsign = false, to_space = false;
  // Waits for its member mask before it runs.
  bool warp_sync = false;
};

}  // namespace cudaperf::emulator

#endif  // CUDAPERF_EMULATOR_INSTRUCTION_H_
