// Feeds hostile PTX to the parser and the decoder: it must become instructions or be refused, within its bounds.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "emulator/decoder.h"
#include "emulator/operations.h"
#include "emulator/ptx_parser.h"

namespace {

using namespace cudaperf::emulator;

// An interpreter that knows every instruction, so that none is left out for lack of one. It never runs.
constexpr OperationSet kDecodeOnly{
    "decode only",
    [](const Instruction&) -> Handler { return [](Warp&, const Instruction&, uint32_t) { return false; }; }, nullptr};

void Require(bool holds) {
  if (!holds) std::abort();
}

// The interpreter reads and writes whole rows of 32 lanes without looking: they must lie inside, whatever their width.
// A block's registers are followed by one more row of the widest kind.
void RequireRow(const Code& code, uint32_t row) {
  if (row == kNoRow) return;
  constexpr uint64_t kRowBytes = 32 * 8;
  if ((row & kConstantRow) != 0) {
    Require((row & ~kConstantRow) + kRowBytes <= code.constants.size() * 8);
  } else {
    Require(row < code.register_bytes);
  }
}

void RequirePredicate(const Code& code, uint32_t predicate) {
  Require(predicate == kNoPredicate || predicate / 2 < code.predicate_count);
}

void RequirePc(const Code& code, uint32_t pc) { Require(pc == kNoPc || pc < code.instructions.size()); }

void CheckCode(const Code& code) {
  Require(code.instructions.size() <= Decoder::kMaxInstructions + Decoder::kMaxCallDepth);
  for (const Instruction& i : code.instructions) {
    for (const uint32_t row : {i.dst, i.a, i.b, i.c}) RequireRow(code, row);
    for (const uint32_t predicate : {i.p, i.q, i.source_predicate, i.guard}) RequirePredicate(code, predicate);
    for (const uint32_t pc : {i.target, i.reconverge}) RequirePc(code, pc);
    Require(i.dst == kNoRow || (i.dst & kConstantRow) == 0);
    Require(i.elements <= code.elements.size());
    Require(i.memory <= code.memory_count);
    Require(i.line < code.lines.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  if (size > (1 << 16)) return 0;
  const absl::StatusOr<PtxSource> source = PtxParser::Parse({reinterpret_cast<const char*>(bytes), size});
  if (!source.ok()) return 0;
  const std::vector<int32_t> targets = Decoder::FindTargets(*source);
  for (size_t k = 0; k < source->functions.size() && k < 16; ++k) {
    if (!source->functions[k].is_entry || !source->functions[k].has_body) continue;
    const absl::StatusOr<Code> code = Decoder::Decode(*source, static_cast<int32_t>(k), targets, kDecodeOnly);
    if (code.ok()) CheckCode(*code);
  }
  return 0;
}
