#ifndef CUDAPERF_EMULATOR_DECODER_H_
#define CUDAPERF_EMULATOR_DECODER_H_

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "emulator/operations.h"
#include "emulator/program.h"
#include "emulator/ptx_source.h"

namespace cudaperf::emulator {

// Turns one kernel's statements into instructions: gives registers their rows, variables their offsets, and puts the
// bodies of called functions where they are called. What it cannot turn becomes an instruction that names itself when
// it is reached.
class Decoder {
 public:
  // Bounds on one kernel.
  static constexpr size_t kMaxInstructions = 1 << 18;
  static constexpr size_t kMaxElements = 1 << 20;
  static constexpr uint32_t kMaxRegisterBytes = 8 << 20;
  static constexpr uint32_t kMaxLocalBytes = 512 << 10;
  static constexpr size_t kMaxCallDepth = 32;
  // Functions one indirect call may reach.
  static constexpr size_t kMaxTargets = 64;
  static constexpr size_t kMaxModuleTargets = 1024;
  // What the `.local` variables of recursive functions may take per thread.
  static constexpr uint32_t kStackBytes = 16 << 10;

  // RESOURCE_EXHAUSTED when the kernel passes a bound.
  // `targets`: FindTargets(source).
  static absl::StatusOr<Code> Decode(const PtxSource& source, int32_t entry, const std::vector<int32_t>& targets,
                                     const OperationSet& operations);

  // The functions whose address is taken, by code or by a variable.
  static std::vector<int32_t> FindTargets(const PtxSource& source);

  // Where `.entry` parameters lie in the parameter block.
  static std::vector<int64_t> ParameterOffsets(const PtxFunction& function, int64_t* size_bytes);

 private:
  // Rows that absent operands use: never read for a result.
  static constexpr uint32_t kScratchRow = kSystemRowsEnd;
  // Row times two, plus one when negated.
  static constexpr uint32_t kTruePredicate = 0 * 2;
  static constexpr uint32_t kScratchPredicate = 1 * 2;

  // Places of one function's registers and variables; the same for all its calls, since none is active twice in a lane.
  struct Layout {
    std::vector<uint32_t> rows;
    // Offsets of `.local` and `.param` variables; -1 for others.
    std::vector<int64_t> offsets;
    // How often each register is named: once means that nobody reads it.
    std::vector<uint32_t> uses;
    // Of a recursive function: index into Code::frames, and the rows with the addresses of its `.local` variables.
    uint32_t frame = 0;
    std::map<int32_t, uint32_t> address_rows;
  };
  struct Operand {
    uint32_t row = kNoRow;
    uint8_t bytes = 0;
  };
  struct Label {
    uint32_t instruction = 0;
    int32_t statement = 0;
  };
  // One inlined body.
  struct Instance {
    const PtxFunction* function = nullptr;
    Layout* layout = nullptr;
    // Parameter variables bound to the caller's: local offset by variable.
    absl::flat_hash_map<int32_t, int64_t> bindings;
    std::vector<uint32_t> pc_of_statement;
    std::vector<Label> pending;
    // Places in Code::elements that wait for a statement's pc.
    std::vector<std::pair<uint32_t, int32_t>> pending_elements;
    // Returns, which jump to the end of the body.
    std::vector<uint32_t> returns;
  };

  Decoder(const PtxSource& source, const std::vector<int32_t>& targets, const OperationSet& operations);

  absl::Status DecodeFunction(int32_t function, Instance& instance, bool is_entry);
  absl::Status DecodeStatement(Instance& instance, const PtxStatement& statement, bool is_entry);
  absl::StatusOr<Layout*> LayoutOf(int32_t function);
  absl::Status PlaceShared(int32_t entry);
  absl::Status Emit(Instruction instruction, const PtxStatement& statement);
  absl::Status EmitUnsupported(Instruction instruction, const PtxStatement& statement, std::string name = "");

  // Each fills in the operands; false when the statement's shape is not what the opcode takes.
  bool DecodeOperands(Instance& instance, const PtxStatement& statement, Instruction& i);
  bool DecodeGeneral(Instance& instance, const PtxStatement& statement, Instruction& i);
  bool DecodeMove(Instance& instance, const PtxStatement& statement, Instruction& i);
  bool DecodeMemory(Instance& instance, const PtxStatement& statement, Instruction& i);
  bool DecodeAtomic(Instance& instance, const PtxStatement& statement, Instruction& i);
  bool DecodeAddress(Instance& instance, const PtxOperand& operand, Instruction& i);
  bool DecodeComparison(Instance& instance, const PtxStatement& statement, Instruction& i);
  bool DecodeWarpWide(Instance& instance, const PtxStatement& statement, Instruction& i);
  bool DecodeBarrier(Instance& instance, const PtxStatement& statement, Instruction& i);
  bool DecodeCopyAsync(Instance& instance, const PtxStatement& statement, Instruction& i);
  bool DecodeMatrix(Instance& instance, const PtxStatement& statement, Instruction& i);
  bool DecodeMultiply(Instance& instance, const PtxStatement& statement, Instruction& i);
  bool DecodeWmma(Instance& instance, const PtxStatement& statement, Instruction& i);
  bool DecodeMbarrier(Instance& instance, const PtxStatement& statement, Instruction& i);
  // Appends the rows of a fragment of `count` registers.
  bool PushFragment(Instance& instance, const PtxOperand& operand, size_t count, int bytes, bool written);
  bool DecodePredicateLogic(Instance& instance, const PtxStatement& statement, Instruction& i);
  absl::Status DecodeBranch(Instance& instance, const PtxStatement& statement, Instruction i);
  absl::Status DecodeCall(Instance& instance, const PtxStatement& statement, Instruction i);
  absl::Status EmitCall(Instance& instance, const PtxStatement& statement, int32_t callee);
  absl::Status EmitIndirectCall(Instance& instance, const PtxStatement& statement, const std::vector<int32_t>& callees);
  absl::Status EmitJump(uint32_t guard, const PtxStatement& statement);
  absl::Status EmitCalledBodies();
  void FindRecursion();
  std::vector<int32_t> CalleesOf(int32_t function) const;

  Operand Source(Instance& instance, const PtxOperand& operand, int bytes);
  Operand Destination(Instance& instance, const PtxOperand& operand);
  uint32_t Predicate(Instance& instance, const PtxOperand& operand, bool is_written);
  uint32_t ConstantRow(uint64_t value, int bytes);
  uint32_t AddressRow(uint32_t variable, int64_t addend);
  Operand SpecialRegister(const std::string& name);
  int32_t FindLabel(const PtxFunction& function, std::string_view name, int32_t scope) const;
  // Space and offset of a variable as this instance sees it; false for module variables in global memory.
  bool PlaceOf(const Instance& instance, const PtxOperand& operand, Space* space, int64_t* offset) const;
  uint32_t LineIndex(SourceLine line);

  const PtxSource& source_;
  const OperationSet& operations_;
  Code code_;
  int32_t entry_ = 0;
  std::vector<int64_t> parameter_offsets_;
  std::map<int32_t, Layout> layouts_;
  std::vector<int32_t> call_stack_;
  const std::vector<int32_t>& targets_;
  // Functions that may come back to themselves.
  std::set<int32_t> recursive_;
  // Calls that wait for the place of their body.
  std::vector<std::pair<uint32_t, int32_t>> pending_calls_;
  std::map<std::pair<uint64_t, int>, uint32_t> constant_rows_;
  std::map<std::pair<uint32_t, int64_t>, uint32_t> address_rows_;
  // By (function, variable); function -1 for the module's.
  std::map<std::pair<int32_t, int32_t>, int64_t> shared_offsets_;
  absl::flat_hash_map<int64_t, uint32_t> line_index_;
};

}  // namespace cudaperf::emulator

#endif  // CUDAPERF_EMULATOR_DECODER_H_
