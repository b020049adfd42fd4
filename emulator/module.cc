#include "emulator/module.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "emulator/decoder.h"
#include "emulator/operations.h"
#include "emulator/program.h"
#include "emulator/ptx_parser.h"
#include "emulator/warp.h"

namespace cudaperf::emulator {
namespace {

constexpr size_t kMaxModuleInstructions = 1 << 20;

Kernel DescribeKernel(const PtxFunction& function, const Code& code) {
  Kernel kernel;
  kernel.name = std::string(function.name);
  const std::vector<int64_t> offsets = Decoder::ParameterOffsets(function, &kernel.parameter_block_bytes);
  for (size_t k = 0; k < offsets.size(); ++k) {
    const PtxVariable& parameter = function.variables[function.parameters[k]];
    kernel.parameters.push_back(
        KernelParameter{std::string(parameter.type), offsets[k], parameter.size_bytes, parameter.align_bytes});
  }
  kernel.static_shared_bytes = code.static_shared_bytes;
  kernel.local_bytes = code.local_bytes;
  for (const Type type : function.registers)
    kernel.register_count += type == Type::kPred ? 0 : SizeOf(type) > 4 ? 2 : 1;
  std::copy(std::begin(function.required_block), std::end(function.required_block), kernel.required_block);
  kernel.most_threads = function.most_threads;
  return kernel;
}

}  // namespace

Module::Module() : program_(std::make_unique<Program>()) {}
Module::~Module() = default;

absl::StatusOr<std::shared_ptr<const Module>> Module::Parse(std::string_view ptx) {
  return Parse(ptx, BestOperations());
}

absl::StatusOr<std::shared_ptr<const Module>> Module::Parse(std::string_view ptx, const OperationSet& operations) {
  if (ptx.size() > kMaxPtxBytes) return absl::ResourceExhaustedError("PTX too large");
  // The text may end in zeros: it comes out of C strings.
  while (!ptx.empty() && ptx.back() == '\0') ptx.remove_suffix(1);
  absl::StatusOr<PtxSource> source = PtxParser::Parse(ptx);
  if (!source.ok()) return source.status();
  std::shared_ptr<Module> module(new Module());
  Program& program = *module->program_;
  program.operations = &operations;
  program.files = std::move(source->files);
  size_t instructions = 0;
  const std::vector<int32_t> targets = Decoder::FindTargets(*source);
  for (size_t k = 0; k < source->functions.size(); ++k) {
    const PtxFunction& function = source->functions[k];
    if (!function.is_entry || !function.has_body) continue;
    absl::StatusOr<Code> code = Decoder::Decode(*source, static_cast<int32_t>(k), targets, *program.operations);
    if (!code.ok())
      return absl::Status(code.status().code(),
                          absl::StrCat("kernel ", std::string(function.name), ": ", code.status().message()));
    instructions += code->instructions.size();
    if (instructions > kMaxModuleInstructions) return absl::ResourceExhaustedError("module too large");
    module->kernels_.push_back(DescribeKernel(function, *code));
    program.kernels.push_back(*std::move(code));
  }
  for (size_t v = 0; v < source->variables.size(); ++v) {
    const PtxVariable& variable = source->variables[v];
    Variable shown;
    shown.name = std::string(variable.name);
    shown.space =
        variable.space == PtxVariable::Space::kConstant ? Variable::Space::kConstant : Variable::Space::kGlobal;
    // Shared variables keep their index but have no address.
    const bool is_shared = variable.space == PtxVariable::Space::kShared;
    shown.size_bytes = is_shared ? 0 : variable.size_bytes;
    shown.align_bytes = variable.align_bytes;
    shown.initial_bytes = is_shared ? "" : variable.initial_bytes;
    for (const PtxVariable::Reference& reference : variable.references) {
      if (reference.offset_bytes + 8 > static_cast<int64_t>(shown.initial_bytes.size())) continue;
      const auto target = source->variable_index.find(reference.name);
      if (target != source->variable_index.end()) {
        program.relocations.push_back(VariableRelocation{static_cast<uint32_t>(v), reference.offset_bytes,
                                                         static_cast<uint32_t>(target->second), reference.addend});
      } else if (source->function_index.contains(reference.name)) {
        const uint64_t address = FunctionAddress(source->function_index.at(reference.name));
        shown.initial_bytes.replace(static_cast<size_t>(reference.offset_bytes), 8,
                                    reinterpret_cast<const char*>(&address), 8);
      }
    }
    module->variables_.push_back(std::move(shown));
  }
  return std::shared_ptr<const Module>(std::move(module));
}

const Kernel* Module::FindKernel(std::string_view name) const {
  const auto found =
      std::find_if(kernels_.begin(), kernels_.end(), [name](const Kernel& kernel) { return kernel.name == name; });
  return found == kernels_.end() ? nullptr : &*found;
}

const Variable* Module::FindVariable(std::string_view name) const {
  const auto found = std::find_if(variables_.begin(), variables_.end(),
                                  [name](const Variable& variable) { return variable.name == name; });
  return found == variables_.end() ? nullptr : &*found;
}

}  // namespace cudaperf::emulator
