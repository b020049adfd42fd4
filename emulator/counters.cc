#include "emulator/counters.h"

#include <algorithm>
#include <map>
#include <utility>

namespace cudaperf::emulator {
namespace {

using reward::v1::Counters;

constexpr int kMostLines = 64;

#define EMULATOR_ADD(counters, field, amount) (counters).set_##field((counters).field() + (amount))

struct LineSum {
  Counters counters;
  int64_t stride = 0;
  int64_t stride_matches = 0;
  int64_t stride_samples = 0;
};

// Floating-point operations of one lane; a fused multiply-add is two.
int64_t FlopsOf(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::kAdd:
    case Opcode::kSub:
    case Opcode::kMul:
    case Opcode::kDiv:
      return 1;
    case Opcode::kFma:
    case Opcode::kMad:
      return 2;
    default:
      return 0;
  }
}

bool IsIntegerOperation(const Instruction& i) {
  if (IsFloat(i.type) || i.type == Type::kPred || i.type == Type::kNone) return false;
  switch (i.opcode) {
    case Opcode::kAbs:
    case Opcode::kAdd:
    case Opcode::kAddc:
    case Opcode::kAnd:
    case Opcode::kBfe:
    case Opcode::kBfi:
    case Opcode::kBfind:
    case Opcode::kBmsk:
    case Opcode::kBrev:
    case Opcode::kClz:
    case Opcode::kCnot:
    case Opcode::kDiv:
    case Opcode::kDp2a:
    case Opcode::kDp4a:
    case Opcode::kFns:
    case Opcode::kLop3:
    case Opcode::kMad:
    case Opcode::kMad24:
    case Opcode::kMadc:
    case Opcode::kMax:
    case Opcode::kMin:
    case Opcode::kMul:
    case Opcode::kMul24:
    case Opcode::kNeg:
    case Opcode::kNot:
    case Opcode::kOr:
    case Opcode::kPopc:
    case Opcode::kPrmt:
    case Opcode::kRem:
    case Opcode::kSad:
    case Opcode::kSetp:
    case Opcode::kSet:
    case Opcode::kShf:
    case Opcode::kShl:
    case Opcode::kShr:
    case Opcode::kSub:
    case Opcode::kSubc:
    case Opcode::kXor:
      return true;
    default:
      return false;
  }
}

bool IsSpecialFunction(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::kSin:
    case Opcode::kCos:
    case Opcode::kEx2:
    case Opcode::kLg2:
    case Opcode::kRcp:
    case Opcode::kRsqrt:
    case Opcode::kSqrt:
    case Opcode::kTanh:
      return true;
    default:
      return false;
  }
}

void AddArithmetic(const Instruction& i, int64_t warps, int64_t lanes, Counters& c) {
  const int64_t flops = FlopsOf(i) * lanes;
  const bool multiplies = i.opcode == Opcode::kMma || (i.opcode == Opcode::kWmma && i.mode == Mode::kMultiply);
  switch (i.type) {
    case Type::kF16:
    case Type::kBf16:
      EMULATOR_ADD(c, flop_fp16_count, flops);
      break;
    case Type::kF16x2:
    case Type::kBf16x2:
      EMULATOR_ADD(c, flop_fp16_count, 2 * flops);
      break;
    case Type::kF32:
      EMULATOR_ADD(c, flop_fp32_count, flops);
      break;
    case Type::kF64:
      EMULATOR_ADD(c, flop_fp64_count, flops);
      break;
    default:
      break;
  }
  if (multiplies) {
    const MatrixShape shape = MatrixShape::Unpack(i.immediate);
    EMULATOR_ADD(c, flop_tensor_count, warps * 2 * shape.m * shape.n * shape.k);
  }
  if (IsIntegerOperation(i)) EMULATOR_ADD(c, integer_operation_count, lanes);
  if (IsSpecialFunction(i)) EMULATOR_ADD(c, special_function_count, lanes);
  if (i.opcode == Opcode::kShfl) EMULATOR_ADD(c, shuffle_count, warps);
}

void AddControl(const Instruction& i, const ExecutionCount& count, Counters& c) {
  const bool branches =
      (i.control == Control::kBranch && i.guard != kNoPredicate) || i.control == Control::kIndexedBranch;
  if (branches) {
    EMULATOR_ADD(c, branch_count, count.warps);
    EMULATOR_ADD(c, divergent_branch_count, count.divergent);
  }
  if (i.control == Control::kBarrier) EMULATOR_ADD(c, barrier_count, count.warps);
}

enum class Traffic { kLoad, kStore, kAtomic };

void AddMemory(Traffic traffic, const MemoryCount& m, Counters& c) {
  if (traffic == Traffic::kLoad) {
    EMULATOR_ADD(c, global_load_request_count, m.global_requests);
    EMULATOR_ADD(c, global_load_sector_count, m.sectors);
    EMULATOR_ADD(c, global_load_ideal_sector_count, m.ideal_sectors);
    EMULATOR_ADD(c, global_load_bytes, m.bytes);
    EMULATOR_ADD(c, shared_load_request_count, m.shared_requests);
  } else if (traffic == Traffic::kStore) {
    EMULATOR_ADD(c, global_store_request_count, m.global_requests);
    EMULATOR_ADD(c, global_store_sector_count, m.sectors);
    EMULATOR_ADD(c, global_store_ideal_sector_count, m.ideal_sectors);
    EMULATOR_ADD(c, global_store_bytes, m.bytes);
    EMULATOR_ADD(c, shared_store_request_count, m.shared_requests);
  } else {
    EMULATOR_ADD(c, global_atomic_request_count, m.global_requests);
    EMULATOR_ADD(c, global_atomic_thread_count, m.global_lanes);
    EMULATOR_ADD(c, shared_atomic_request_count, m.shared_requests);
  }
  EMULATOR_ADD(c, shared_bank_conflict_count, m.conflicts);
  EMULATOR_ADD(c, local_request_count, m.local_requests);
  EMULATOR_ADD(c, local_bytes, m.local_bytes);
  EMULATOR_ADD(c, constant_request_count, m.constant_requests);
}

void AddInstruction(const Instruction& i, const ExecutionCount& count, const std::vector<MemoryCount>& memory,
                    Counters& c) {
  EMULATOR_ADD(c, warp_instruction_count, count.warps);
  EMULATOR_ADD(c, thread_instruction_count, count.lanes);
  AddArithmetic(i, count.warps, count.lanes - count.guarded_lanes, c);
  AddControl(i, count, c);
  if (i.memory == 0) return;
  const bool stores = i.opcode == Opcode::kSt || i.opcode == Opcode::kStmatrix || i.mode == Mode::kStore,
             atomics = i.opcode == Opcode::kAtom || i.opcode == Opcode::kRed;
  AddMemory(stores ? Traffic::kStore : atomics ? Traffic::kAtomic : Traffic::kLoad, memory[i.memory], c);
  // cp.async loads and stores.
  if (i.opcode == Opcode::kCp) AddMemory(Traffic::kStore, memory[i.memory + 1], c);
}

void AddStride(const MemoryCount& m, LineSum& line) {
  if (m.stride_samples == 0) return;
  line.stride_samples += m.stride_samples;
  if (m.stride == INT64_MIN) return;
  if (line.stride_matches == 0 || line.stride == m.stride) {
    line.stride = m.stride;
    line.stride_matches += m.stride_matches;
  } else if (m.stride_matches > line.stride_matches) {
    line.stride = m.stride;
    line.stride_matches = m.stride_matches;
  }
}

int64_t CostOf(const Counters& c) {
  return c.warp_instruction_count() + 4 * (c.global_load_sector_count() + c.global_store_sector_count()) +
         2 * c.shared_bank_conflict_count() + 8 * c.global_atomic_thread_count();
}

void Merge(const Counters& from, Counters& into) {
  const google::protobuf::Descriptor* descriptor = Counters::descriptor();
  const google::protobuf::Reflection* reflection = Counters::GetReflection();
  for (int k = 0; k < descriptor->field_count(); ++k) {
    const google::protobuf::FieldDescriptor* field = descriptor->field(k);
    reflection->SetInt64(&into, field, reflection->GetInt64(into, field) + reflection->GetInt64(from, field));
  }
}

}  // namespace

void AddCounts(const std::vector<ExecutionCount>& from, std::vector<ExecutionCount>& into) {
  for (size_t k = 0; k < from.size(); ++k) {
    into[k].warps += from[k].warps;
    into[k].lanes += from[k].lanes;
    into[k].guarded_lanes += from[k].guarded_lanes;
    into[k].divergent += from[k].divergent;
  }
}

void AddCounts(const std::vector<MemoryCount>& from, std::vector<MemoryCount>& into) {
  for (size_t k = 0; k < from.size(); ++k) {
    MemoryCount& m = into[k];
    const MemoryCount& f = from[k];
    for (const auto field : {&MemoryCount::global_requests, &MemoryCount::sectors, &MemoryCount::ideal_sectors,
                             &MemoryCount::bytes, &MemoryCount::global_lanes, &MemoryCount::shared_requests,
                             &MemoryCount::conflicts, &MemoryCount::local_requests, &MemoryCount::local_bytes,
                             &MemoryCount::constant_requests, &MemoryCount::stride_samples}) {
      m.*field += f.*field;
    }
    if (f.stride_samples == 0) continue;
    if (m.stride_matches == 0 || m.stride == f.stride) {
      m.stride = f.stride;
      m.stride_matches += f.stride_matches;
    } else if (f.stride_matches > m.stride_matches) {
      m.stride = f.stride;
      m.stride_matches = f.stride_matches;
    }
  }
}

void SummarizeCounts(const Code& code, const Program& program, const std::vector<ExecutionCount>& counts,
                     const std::vector<MemoryCount>& memory, reward::v1::KernelExecution* execution) {
  std::map<std::pair<int32_t, int32_t>, LineSum> lines;
  for (size_t pc = 0; pc < code.instructions.size(); ++pc) {
    if (counts[pc].warps == 0) continue;
    const Instruction& i = code.instructions[pc];
    const SourceLine line = code.lines[i.line];
    LineSum& sum = lines[{line.file, line.line}];
    AddInstruction(i, counts[pc], memory, sum.counters);
    if (i.memory != 0) AddStride(memory[i.memory], sum);
  }
  std::vector<const std::pair<const std::pair<int32_t, int32_t>, LineSum>*> order;
  for (const auto& line : lines) {
    Merge(line.second.counters, *execution->mutable_counters());
    if (line.first.second > 0) order.push_back(&line);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](auto* a, auto* b) { return CostOf(a->second.counters) > CostOf(b->second.counters); });
  for (const auto* line : order) {
    if (execution->lines_size() >= kMostLines) break;
    reward::v1::LineCounters* shown = execution->add_lines();
    if (static_cast<size_t>(line->first.first) < program.files.size())
      shown->set_file(program.files[line->first.first]);
    shown->set_line(line->first.second);
    *shown->mutable_counters() = line->second.counters;
    if (2 * line->second.stride_matches > line->second.stride_samples)
      shown->set_lane_stride_bytes(line->second.stride);
  }
}

}  // namespace cudaperf::emulator
