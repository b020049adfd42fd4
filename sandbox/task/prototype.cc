#include "sandbox/task/prototype.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "sandbox/task/data_type.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::CudaTask;
using reward::v1::Parameter;

std::string Declaration(const Parameter& parameter) {
  const absl::string_view type = TypeName(parameter.dtype(), Dialect::kCuda);
  if (parameter.has_scalar()) return absl::StrCat(type, " ", parameter.name());
  const bool is_input = parameter.buffer().direction() == reward::v1::DIRECTION_IN;
  return absl::StrCat(is_input ? "const " : "", type, "* ", parameter.name());
}

// Buffers are cast to non-const pointers, which convert to const ones too: both spellings of a candidate compile.
std::string Argument(const Parameter& parameter, int index, Dialect dialect) {
  const absl::string_view type = TypeName(parameter.dtype(), dialect);
  if (parameter.has_scalar()) return absl::StrCat("*(", type, "*)a[", index, "]");
  return absl::StrCat("*(", type, "**)a[", index, "]");
}

}  // namespace

std::string LauncherPrototype(const CudaTask& task) {
  std::vector<std::string> declarations;
  for (const Parameter& parameter : task.parameters()) declarations.push_back(Declaration(parameter));
  return absl::StrCat("extern \"C\" void ", task.entry_point(), "(", absl::StrJoin(declarations, ", "), ")");
}

std::string InvokeSource(const CudaTask& task, worker::v1::SourceLanguage language) {
  if (language == worker::v1::SOURCE_LANGUAGE_CUDA_DEVICE) return "";
  const bool is_cuda = language == worker::v1::SOURCE_LANGUAGE_CUDA_LAUNCHER;
  const Dialect dialect = is_cuda ? Dialect::kCuda : Dialect::kC;
  std::vector<std::string> arguments;
  bool uses_half = false;
  for (int i = 0; i < task.parameters_size(); ++i) {
    arguments.push_back(Argument(task.parameters(i), i, dialect));
    uses_half |= task.parameters(i).dtype() == reward::v1::DATA_TYPE_FLOAT16;
  }
  return absl::StrCat(is_cuda && uses_half ? "#include <cuda_fp16.h>\n" : "", is_cuda ? "extern \"C\" " : "",
                      "__attribute__((visibility(\"default\"))) void cudaperf_invoke(void** a) {\n  ",
                      task.entry_point(), "(", absl::StrJoin(arguments, ", "), ");\n}\n");
}

}  // namespace cudaperf::sandbox
