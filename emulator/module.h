#ifndef CUDAPERF_EMULATOR_MODULE_H_
#define CUDAPERF_EMULATOR_MODULE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace cudaperf::emulator {

struct OperationSet;
struct Program;

// One parameter of a kernel, placed in the parameter block.
struct KernelParameter {
  // PTX type: `u32`, `f32`, `u64`, `b8`, ...
  std::string type;
  int64_t offset_bytes = 0;
  // Whole size; larger than the type's for by-value structures (`.b8 name[16]`).
  int64_t size_bytes = 0;
  int64_t align_bytes = 1;
};

// A `.entry` of the module.
struct Kernel {
  // Mangled name, as in the PTX.
  std::string name;
  std::vector<KernelParameter> parameters;
  int64_t parameter_block_bytes = 0;
  int64_t static_shared_bytes = 0;
  // Local memory declared by the kernel and the functions it calls, per thread.
  int64_t local_bytes = 0;
  // Virtual registers of the PTX, in units of 32 bits. Not what ptxas would allocate.
  int32_t register_count = 0;
  // From `.reqntid` and `.maxntid`; 0 where absent.
  int64_t required_block[3] = {0, 0, 0};
  int64_t most_threads = 0;
};

// A module-scope `.global` or `.const` variable.
struct Variable {
  enum class Space { kGlobal, kConstant };
  std::string name;
  Space space = Space::kGlobal;
  int64_t size_bytes = 0;
  int64_t align_bytes = 1;
  // Initial bytes; shorter than `size_bytes` when the rest is zero.
  std::string initial_bytes;
};

// A parsed PTX module, decoded for the interpreter. Immutable; thread-safe.
class Module {
 public:
  static constexpr size_t kMaxPtxBytes = size_t{64} << 20;

  // INVALID_ARGUMENT with a line number when the text is not PTX or passes a bound; RESOURCE_EXHAUSTED when it is too
  // large. Instructions that the emulator lacks do not fail here: the launch that reaches one says so.
  static absl::StatusOr<std::shared_ptr<const Module>> Parse(std::string_view ptx);
  // For an interpreter other than the best one that this processor runs. `operations` outlives the module.
  static absl::StatusOr<std::shared_ptr<const Module>> Parse(std::string_view ptx, const OperationSet& operations);

  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  ~Module();

  const std::vector<Kernel>& kernels() const { return kernels_; }
  const std::vector<Variable>& variables() const { return variables_; }
  // Null when there is none of that name.
  const Kernel* FindKernel(std::string_view name) const;
  const Variable* FindVariable(std::string_view name) const;

  // The interpreter's own view.
  const Program& program() const { return *program_; }

 private:
  Module();

  std::vector<Kernel> kernels_;
  std::vector<Variable> variables_;
  std::unique_ptr<Program> program_;
};

}  // namespace cudaperf::emulator

#endif  // CUDAPERF_EMULATOR_MODULE_H_
