#include "emulator/modifiers.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"

namespace cudaperf::emulator {
namespace {

using Word = std::string_view;

template <typename Value>
using Table = absl::flat_hash_map<Word, Value>;

template <typename Value>
std::optional<Value> Find(const Table<Value>& table, Word word) {
  const auto found = table.find(word);
  return found == table.end() ? std::nullopt : std::optional<Value>(found->second);
}

const Table<Opcode>& Opcodes() {
  static const auto& table = *new Table<Opcode>{
#define CUDAPERF_EMULATOR_ENTRY(name, text) {text, Opcode::k##name},
      CUDAPERF_EMULATOR_OPCODES(CUDAPERF_EMULATOR_ENTRY)
#undef CUDAPERF_EMULATOR_ENTRY
  };
  return table;
}

const Table<Type>& Types() {
  static const auto& table = *new Table<Type>{
      {"pred", Type::kPred},  {"b8", Type::kB8},         {"b16", Type::kB16},       {"b32", Type::kB32},
      {"b64", Type::kB64},    {"b128", Type::kB128},     {"u8", Type::kU8},         {"u16", Type::kU16},
      {"u32", Type::kU32},    {"u64", Type::kU64},       {"s8", Type::kS8},         {"s16", Type::kS16},
      {"s32", Type::kS32},    {"s64", Type::kS64},       {"f16", Type::kF16},       {"f16x2", Type::kF16x2},
      {"bf16", Type::kBf16},  {"bf16x2", Type::kBf16x2}, {"tf32", Type::kTf32},     {"f32", Type::kF32},
      {"f64", Type::kF64},    {"e4m3x2", Type::kE4m3x2}, {"e5m2x2", Type::kE5m2x2}, {"u16x2", Type::kU16x2},
      {"s16x2", Type::kS16x2}};
  return table;
}

const Table<Compare>& Compares() {
  static const auto& table = *new Table<Compare>{
      {"eq", Compare::kEq},   {"ne", Compare::kNe},   {"lt", Compare::kLt},   {"le", Compare::kLe},
      {"gt", Compare::kGt},   {"ge", Compare::kGe},   {"lo", Compare::kLt},   {"ls", Compare::kLe},
      {"hi", Compare::kGt},   {"hs", Compare::kGe},   {"equ", Compare::kEqu}, {"neu", Compare::kNeu},
      {"ltu", Compare::kLtu}, {"leu", Compare::kLeu}, {"gtu", Compare::kGtu}, {"geu", Compare::kGeu},
      {"num", Compare::kNum}, {"nan", Compare::kNan}};
  return table;
}

const Table<Mode>& Modes() {
  static const auto& table = *new Table<Mode>{
      {"up", Mode::kUp},         {"down", Mode::kDown}, {"bfly", Mode::kBfly}, {"idx", Mode::kIdx},
      {"all", Mode::kAll},       {"any", Mode::kAny},   {"uni", Mode::kUni},   {"ballot", Mode::kBallot},
      {"add", Mode::kAdd},       {"min", Mode::kMin},   {"max", Mode::kMax},   {"and", Mode::kAnd},
      {"or", Mode::kOr},         {"xor", Mode::kXor},   {"inc", Mode::kInc},   {"dec", Mode::kDec},
      {"exch", Mode::kExch},     {"cas", Mode::kCas},   {"popc", Mode::kPopc}, {"arrive", Mode::kArrive},
      {"shiftamt", Mode::kWrap}, {"f4e", Mode::kF4e},   {"b4e", Mode::kB4e},   {"rc8", Mode::kRc8},
      {"ecl", Mode::kEcl},       {"ecr", Mode::kEcr},   {"rc16", Mode::kRc16}, {"l", Mode::kUp},
      {"r", Mode::kDown}};
  return table;
}

const Table<Space>& Spaces() {
  static const auto& table = *new Table<Space>{
      {"global", Space::kGlobal},          {"shared", Space::kShared},      {"shared::cta", Space::kShared},
      {"shared::cluster", Space::kShared}, {"local", Space::kLocal},        {"param", Space::kParam},
      {"const", Space::kConstant},         {"param::entry", Space::kParam}, {"param::func", Space::kParam}};
  return table;
}

const Table<std::pair<Rounding, bool>>& Roundings() {
  static const auto& table = *new Table<std::pair<Rounding, bool>>{
      {"rn", {Rounding::kNearest, false}}, {"rz", {Rounding::kZero, false}},    {"rm", {Rounding::kDown, false}},
      {"rp", {Rounding::kUp, false}},      {"rni", {Rounding::kNearest, true}}, {"rzi", {Rounding::kZero, true}},
      {"rmi", {Rounding::kDown, true}},    {"rpi", {Rounding::kUp, true}}};
  return table;
}

const Table<int>& TestedProperties() {
  static const auto& table = *new Table<int>{{"finite", 0},     {"infinite", 1}, {"number", 2},
                                             {"notanumber", 3}, {"normal", 4},   {"subnormal", 5}};
  return table;
}

// Words that change nothing here: caching, scopes, hints.
bool IsIgnored(Word word) {
  static constexpr Word kIgnored[] = {"nc",      "ca",  "cg",  "cs", "cv",   "wb",   "wt",      "lu",     "cta",
                                      "cluster", "gpu", "sys", "gl", "weak", "sync", "aligned", "approx", "full",
                                      "noftz",   "v2",  "v4",  "v8", "row",  "col",  "rna",     "release"};
  return word.starts_with("L1::") || word.starts_with("L2::") ||
         std::find(std::begin(kIgnored), std::end(kIgnored), word) != std::end(kIgnored);
}

bool IsVolatile(Word word) {
  return word == "volatile" || word == "relaxed" || word == "acquire" || word == "acq_rel" || word == "mmio" ||
         word == "sc";
}

// Operations whose `and`, `add`... is what they do, rather than what a comparison is combined with.
bool HasMode(Opcode opcode) {
  switch (opcode) {
    case Opcode::kShfl:
    case Opcode::kVote:
    case Opcode::kMatch:
    case Opcode::kRedux:
    case Opcode::kAtom:
    case Opcode::kRed:
    case Opcode::kBar:
    case Opcode::kBarrier:
    case Opcode::kBfind:
    case Opcode::kPrmt:
    case Opcode::kShf:
    case Opcode::kVabsdiff2:
    case Opcode::kVabsdiff4:
    case Opcode::kVadd2:
    case Opcode::kVadd4:
    case Opcode::kVavrg2:
    case Opcode::kVavrg4:
    case Opcode::kVmax2:
    case Opcode::kVmax4:
    case Opcode::kVmin2:
    case Opcode::kVmin4:
    case Opcode::kVsub2:
    case Opcode::kVsub4:
      return true;
    default:
      return false;
  }
}

void AddType(Instruction& i, Type type) {
  for (Type* slot : {&i.type, &i.type2, &i.type3, &i.type4}) {
    if (*slot != Type::kNone) continue;
    *slot = type;
    return;
  }
}

bool ParseFlag(Word word, Instruction& i) {
  static constexpr std::pair<Word, bool Instruction::*> kFlags[] = {
      {"ftz", &Instruction::ftz},     {"sat", &Instruction::saturate},    {"relu", &Instruction::relu},
      {"NaN", &Instruction::nan},     {"xorsign", &Instruction::xorsign}, {"cc", &Instruction::carry_out},
      {"to", &Instruction::to_space}, {"trans", &Instruction::transposed}};
  for (const auto& [name, flag] : kFlags) {
    if (word != name) continue;
    i.*flag = true;
    return true;
  }
  return false;
}

bool ParseHalf(Word word, Instruction& i) {
  if (word == "lo") i.half = Mode::kLo;
  if (word == "hi") i.half = Mode::kHi;
  if (word == "wide") i.half = Mode::kWide;
  return word == "lo" || word == "hi" || word == "wide";
}

bool ParseMatrixWord(Word word, Instruction& i) {
  if (const std::optional<MatrixShape> shape = ParseMatrixShape(word)) {
    i.immediate = shape->Pack();
    return true;
  }
  if (word == "satfinite") {
    i.saturate = true;
    return true;
  }
  if (i.opcode != Opcode::kWmma) return false;
  static constexpr std::pair<Word, Mode> kWhat[] = {
      {"load", Mode::kLoad}, {"store", Mode::kStore}, {"mma", Mode::kMultiply}};
  static constexpr std::pair<Word, Mode> kWhich[] = {
      {"a", Mode::kMatrixA}, {"b", Mode::kMatrixB}, {"c", Mode::kMatrixC}, {"d", Mode::kMatrixC}};
  for (const auto& [name, mode] : kWhat) {
    if (word != name) continue;
    i.mode = mode;
    return true;
  }
  for (const auto& [name, mode] : kWhich) {
    if (word != name) continue;
    i.half = mode;
    return true;
  }
  return false;
}

bool ParseMbarrierWord(Word word, Instruction& i) {
  static constexpr std::pair<Word, Mode> kWhat[] = {{"init", Mode::kInit},
                                                    {"inval", Mode::kInvalidate},
                                                    {"arrive", Mode::kArrive},
                                                    {"arrive_drop", Mode::kArrive},
                                                    {"test_wait", Mode::kWait},
                                                    {"try_wait", Mode::kWait},
                                                    {"pending_count", Mode::kPending}};
  if (word == "parity") {
    i.mode = Mode::kWaitParity;
    return true;
  }
  if (word == "expect_tx") {
    i.boolean = Mode::kExpect;
    if (i.mode == Mode::kNone) i.mode = Mode::kExpect;
    return true;
  }
  if (word == "noComplete") return true;
  for (const auto& [name, mode] : kWhat) {
    if (word != name) continue;
    i.mode = mode;
    if (word == "arrive_drop") i.boolean = Mode::kDec;
    return true;
  }
  return false;
}

bool ParseWord(Word word, Instruction& i) {
  // To eight bits all conversions saturate to finite numbers.
  if (i.opcode == Opcode::kCvt && word == "satfinite") return true;
  const bool compares = i.opcode == Opcode::kSetp || i.opcode == Opcode::kSet;
  if (i.opcode == Opcode::kTestp) {
    if (const auto property = Find(TestedProperties(), word)) {
      i.immediate = *property;
      return true;
    }
  }
  if (compares) {
    if (const auto compare = Find(Compares(), word)) {
      i.compare = *compare;
      return true;
    }
    if (word == "and" || word == "or" || word == "xor") {
      i.boolean = *Find(Modes(), word);
      return true;
    }
  }
  if (word == "wrap" || word == "clamp") {
    i.boolean = word == "wrap" ? Mode::kWrap : Mode::kClamp;
    return true;
  }
  if (HasMode(i.opcode)) {
    if (const auto mode = Find(Modes(), word)) {
      i.mode = *mode;
      return true;
    }
  }
  if (const auto type = Find(Types(), word)) {
    AddType(i, *type);
    return true;
  }
  if (const auto space = Find(Spaces(), word)) {
    i.space = *space;
    return true;
  }
  if (const auto rounding = Find(Roundings(), word)) {
    std::tie(i.rounding, i.to_integer) = *rounding;
    return true;
  }
  if (IsVolatile(word)) {
    i.is_volatile = true;
    return true;
  }
  if (i.opcode == Opcode::kMbarrier && ParseMbarrierWord(word, i)) return true;
  if ((i.opcode == Opcode::kMma || i.opcode == Opcode::kWmma) && ParseMatrixWord(word, i)) return true;
  if ((i.opcode == Opcode::kLdmatrix || i.opcode == Opcode::kStmatrix) &&
      (word == "m8n8" || word == "x1" || word == "x2" || word == "x4"))
    return true;
  // bar.red and bar.warp are told apart by their caller.
  if ((i.opcode == Opcode::kBar || i.opcode == Opcode::kBarrier) && (word == "red" || word == "warp")) return true;
  return ParseFlag(word, i) || ParseHalf(word, i) || IsIgnored(word);
}

}  // namespace

int SizeOf(Type type) {
  switch (type) {
    case Type::kB8:
    case Type::kU8:
    case Type::kS8:
      return 1;
    case Type::kB16:
    case Type::kU16:
    case Type::kS16:
    case Type::kF16:
    case Type::kBf16:
    case Type::kE4m3x2:
    case Type::kE5m2x2:
      return 2;
    case Type::kB32:
    case Type::kU32:
    case Type::kS32:
    case Type::kF32:
    case Type::kTf32:
    case Type::kF16x2:
    case Type::kBf16x2:
    case Type::kU16x2:
    case Type::kS16x2:
      return 4;
    case Type::kB64:
    case Type::kU64:
    case Type::kS64:
    case Type::kF64:
      return 8;
    case Type::kB128:
      return 16;
    default:
      return 0;
  }
}

bool IsSigned(Type type) { return type == Type::kS8 || type == Type::kS16 || type == Type::kS32 || type == Type::kS64; }

bool IsFloat(Type type) { return type >= Type::kF16 && type <= Type::kE5m2x2; }

Opcode ParseOpcode(std::string_view word) { return Find(Opcodes(), word).value_or(Opcode::kUnknown); }

bool ParseModifiers(const PtxStatement& statement, Instruction& instruction) {
  const Opcode opcode = instruction.opcode;
  if (opcode == Opcode::kFence || opcode == Opcode::kMembar || opcode == Opcode::kPrefetch ||
      opcode == Opcode::kPrefetchu || opcode == Opcode::kDiscard || opcode == Opcode::kGriddep ||
      opcode == Opcode::kCp) {
    return true;
  }
  for (const Word word : statement.modifiers) {
    if (!ParseWord(word, instruction)) return false;
  }
  const bool to_eight_bit = instruction.type == Type::kE4m3x2 || instruction.type == Type::kE5m2x2;
  const bool is_finite =
      std::find(statement.modifiers.begin(), statement.modifiers.end(), "satfinite") != statement.modifiers.end();
  if (opcode == Opcode::kCvt && is_finite != to_eight_bit) return false;
  return true;
}

}  // namespace cudaperf::emulator
