#include "sandbox/compile/host_build.h"

#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "sandbox/compile/compiler_log.h"
#include "sandbox/compile/elf_file.h"
#include "sandbox/compile/entry_signature.h"
#include "sandbox/compile/kernel_resources.h"
#include "sandbox/compile/tool_run.h"
#include "sandbox/compile/valid_text.h"
#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::Diagnostic;
using worker::v1::CompileRequest;
using worker::v1::CompileResponse;

constexpr size_t kMaxOutputBytes = 1 << 20;
constexpr off_t kMaxObjectBytes = 256 << 20;
// CUDA 13's runtime has about 300 functions.
constexpr int kMaxFunctions = 1024;
constexpr size_t kMaxFunctionName = 128;
constexpr char kInvokeFile[] = "cudaperf_invoke.cu";

// One language's file name, tool and flags.
struct Recipe {
  std::string source_file;
  std::string object_file;
  std::vector<std::string> tool;
  std::vector<std::string> flags;
  std::string ptx_file;
  std::string cubin_file;
};

// `sm_90` to `90`.
std::string Capability(const std::string& architecture) { return architecture.substr(architecture.find('_') + 1); }

std::vector<std::string> CudaFlags(const CompileRequest& request) {
  // What people who compile with nvcc add once its error messages have told them to.
  std::vector<std::string> flags = {"-std=c++20",        "-O3",     "-lineinfo", "--expt-relaxed-constexpr",
                                    "--extended-lambda", "-Xptxas", "-v",        "--keep"};
  if (request.fast_math()) flags.push_back("--use_fast_math");
  return flags;
}

// Device code alone; what else the source holds is read and dropped.
Recipe DeviceRecipe(const std::string& toolkit_root, const CompileRequest& request) {
  const std::string capability = Capability(request.architecture());
  Recipe recipe{.source_file = "candidate.cu", .object_file = "candidate.cubin"};
  recipe.tool = {toolkit_root + "/bin/nvcc"};
  recipe.flags = CudaFlags(request);
  recipe.flags.insert(recipe.flags.end(),
                      {"-cubin", "-gencode", absl::StrCat("arch=compute_", capability, ",code=sm_", capability)});
  recipe.ptx_file = "candidate.ptx";
  recipe.cubin_file = recipe.object_file;
  return recipe;
}

Recipe LauncherRecipe(const std::string& toolkit_root, const CompileRequest& request) {
  const std::string capability = Capability(request.architecture());
  Recipe recipe{.source_file = "candidate.cu", .object_file = "candidate.so"};
  recipe.tool = {toolkit_root + "/bin/nvcc"};
  recipe.flags = CudaFlags(request);
  recipe.flags.insert(recipe.flags.end(), {"-shared", "-cudart", "shared", "-gencode",
                                           absl::StrCat("arch=compute_", capability, ",code=[compute_", capability,
                                                        ",sm_", capability, "]"),
                                           "--compress-mode=none", "-Xcompiler", "-fPIC"});
  recipe.ptx_file = "candidate.ptx";
  recipe.cubin_file = absl::StrCat("candidate.sm_", capability, ".cubin");
  return recipe;
}

Recipe ReferenceRecipe() {
  return {.source_file = "reference.c",
          .object_file = "reference.so",
          .tool = {"/usr/bin/cc"},
          .flags = {"-O2", "-std=c11", "-shared", "-fPIC", "-ffp-contract=off"}};
}

Recipe RecipeFor(const std::string& toolkit_root, const CompileRequest& request) {
  switch (request.language()) {
    case worker::v1::SOURCE_LANGUAGE_CUDA_DEVICE:
      return DeviceRecipe(toolkit_root, request);
    case worker::v1::SOURCE_LANGUAGE_CUDA_LAUNCHER:
      return LauncherRecipe(toolkit_root, request);
    default:
      return ReferenceRecipe();
  }
}

// The invoking function stands behind the source, in the same translation unit, under a file name of its own.
std::string TranslationUnit(const CompileRequest& request) {
  if (request.invoke_source().empty()) return request.source();
  return absl::StrCat(request.source(), "\n#line 1 \"", kInvokeFile, "\"\n", request.invoke_source());
}

absl::Status WriteFile(const std::string& name, const std::string& content) {
  UniqueFd file(open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  size_t written = 0;
  while (file.valid() && written < content.size()) {
    const ssize_t count = write(file.get(), content.data() + written, content.size() - written);
    if (count <= 0) break;
    written += static_cast<size_t>(count);
  }
  if (!file.valid() || written < content.size()) return absl::ErrnoToStatus(errno, absl::StrCat("cannot write ", name));
  return absl::OkStatus();
}

// Empty when there is no such regular file of a sane size.
std::string ReadFile(const std::string& name) {
  if (name.empty()) return "";
  UniqueFd file(open(name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat entry;
  if (!file.valid() || fstat(file.get(), &entry) != 0 || !S_ISREG(entry.st_mode) || entry.st_size > kMaxObjectBytes)
    return "";
  std::string content(static_cast<size_t>(entry.st_size), '\0');
  size_t size = 0;
  ssize_t count;
  while (size < content.size() && (count = read(file.get(), content.data() + size, content.size() - size)) > 0) {
    size += static_cast<size_t>(count);
  }
  content.resize(size);
  return content;
}

struct Verdict {
  worker::v1::CompileStatus status;
  std::string detail;
};

// `nvcc error   : 'cicc' died due to signal 11 (...)`, `gcc: fatal error: Killed signal terminated program cc1`.
std::optional<int> SignalOfStep(const std::string& output) {
  constexpr std::string_view kDied = "died due to signal ";
  const size_t at = output.rfind(kDied);
  const size_t line = at == std::string::npos ? at : output.rfind('\n', at) + 1;
  if (at == std::string::npos || output.compare(line, 10, "nvcc error") != 0) return std::nullopt;
  int number = 0;
  for (size_t i = at + kDied.size(); i < output.size() && std::isdigit(static_cast<unsigned char>(output[i])); ++i) {
    number = std::min(number * 10 + (output[i] - '0'), 1000);
  }
  return number;
}

Verdict VerdictOfSignal(int signal) {
  if (signal == SIGXFSZ) return {worker::v1::COMPILE_STATUS_LIMIT_EXCEEDED, "the compiler wrote too large a file"};
  return {worker::v1::COMPILE_STATUS_CRASHED, absl::StrCat("the compiler was ended by signal ", signal)};
}

bool SaysOutOfMemory(const std::string& output) {
  for (const char* words :
       {"virtual memory exhausted", "std::bad_alloc", "Cannot allocate memory", "out of memory allocating",
        "Memory allocation failure", "No space left on device", "LLVM ERROR: out of memory"}) {
    if (output.find(words) != std::string::npos) return true;
  }
  return false;
}

Verdict Judge(const ToolRun& run) {
  if (run.output_overflowed) {
    return {worker::v1::COMPILE_STATUS_LIMIT_EXCEEDED, "the compiler printed more than 1 MiB of messages"};
  }
  if (run.exited && run.exit_code == 0) return {worker::v1::COMPILE_STATUS_SUCCEEDED, ""};
  if (run.signal != 0) return VerdictOfSignal(run.signal);
  if (SaysOutOfMemory(run.output)) return {worker::v1::COMPILE_STATUS_LIMIT_EXCEEDED, "the compiler ran out of memory"};
  if (std::optional<int> signal = SignalOfStep(run.output)) return VerdictOfSignal(*signal);
  return {worker::v1::COMPILE_STATUS_FAILED, ""};
}

// Our limits end a whole tree or send other signals: this came from an operator or from the machine's memory killer.
bool WasKilledFromOutside(const ToolRun& run) {
  if (run.output_overflowed) return false;
  return run.signal == SIGKILL || ((!run.exited || run.exit_code != 0) && SignalOfStep(run.output) == SIGKILL);
}

bool Exports(const std::string& object, std::string_view name) {
  const std::optional<ElfFile> file = ElfFile::Parse(object);
  if (!file) return false;
  for (const ElfFile::Symbol& symbol : file->Symbols(SHT_DYNSYM)) {
    if (symbol.name == name && symbol.section != SHN_UNDEF) return true;
  }
  return false;
}

// What the object asks others for, of the names CUDA's libraries have.
void AddCudaFunctions(worker::v1::Program& program) {
  const std::optional<ElfFile> file = ElfFile::Parse(program.shared_object());
  if (!file) return;
  for (const ElfFile::Symbol& symbol : file->Symbols(SHT_DYNSYM)) {
    const bool is_cuda = symbol.name.starts_with("cu") || symbol.name.starts_with("__cuda");
    if (symbol.section != SHN_UNDEF || !is_cuda || symbol.name.size() > kMaxFunctionName) continue;
    if (program.cuda_functions_size() < kMaxFunctions) program.add_cuda_functions(std::string(symbol.name));
  }
}

// Messages about our own call of the entry point become one about the entry point.
void ExplainInvokeDiagnostics(const CompileRequest& request, std::vector<Diagnostic>& diagnostics) {
  bool found = false;
  std::erase_if(diagnostics, [&](const Diagnostic& diagnostic) {
    const bool is_ours = diagnostic.file() == kInvokeFile;
    found |= is_ours && diagnostic.severity() == reward::v1::SEVERITY_ERROR;
    return is_ours;
  });
  if (!found) return;
  Diagnostic explanation;
  explanation.set_severity(reward::v1::SEVERITY_ERROR);
  explanation.set_message(
      ToValidUtf8(DescribeSignatureMismatch(request.entry_point(), request.invoke_source(), request.source())));
  diagnostics.insert(diagnostics.begin(), std::move(explanation));
}

void FillProgram(const Recipe& recipe, const std::string& output, CompileResponse& response) {
  worker::v1::Program& program = *response.mutable_program();
  if (recipe.object_file != recipe.cubin_file) program.set_shared_object(ReadFile(recipe.object_file));
  AddCudaFunctions(program);
  program.set_ptx(ToValidUtf8(ReadFile(recipe.ptx_file)));
  program.set_cubin(ReadFile(recipe.cubin_file));
  for (reward::v1::KernelResources& kernel : DescribeKernels(program.cubin(), program.ptx(), output)) {
    *response.add_kernels() = std::move(kernel);
  }
}

std::string WorkingFolder() {
  std::string folder(4096, '\0');
  if (getcwd(folder.data(), folder.size()) == nullptr) return "";
  return folder.substr(0, folder.find('\0'));
}

}  // namespace

absl::StatusOr<CompileResponse> BuildForHost(const std::string& toolkit_root, const CompileRequest& request) {
  const Recipe recipe = RecipeFor(toolkit_root, request);
  const std::string folder = WorkingFolder();
  if (absl::Status status = WriteFile(recipe.source_file, TranslationUnit(request)); !status.ok()) return status;
  std::vector<std::string> argv = recipe.tool;
  argv.insert(argv.end(), recipe.flags.begin(), recipe.flags.end());
  argv.insert(argv.end(), {"-o", recipe.object_file, recipe.source_file});
  if (request.language() == worker::v1::SOURCE_LANGUAGE_C) argv.push_back("-lm");
  absl::StatusOr<ToolRun> run =
      RunTool(argv, {"PATH=/usr/bin:/bin", "TMPDIR=" + folder, "LC_ALL=C", "SOURCE_DATE_EPOCH=0"}, kMaxOutputBytes);
  if (!run.ok()) return run.status();
  if (WasKilledFromOutside(*run)) return absl::UnavailableError("the compiler was killed from outside");
  const Verdict verdict = Judge(*run);
  CompileResponse response;
  response.set_status(verdict.status);
  response.set_detail(verdict.detail);
  CompilerLog log =
      ParseCompilerLog(run->output, {toolkit_root + "/bin/../include/cccl", toolkit_root + "/bin/../include",
                                     toolkit_root + "/bin/..", toolkit_root + "/include", toolkit_root, folder});
  ExplainInvokeDiagnostics(request, log.diagnostics);
  response.set_log(std::move(log.text));
  for (const std::string& flag : recipe.flags) {
    if (flag != "--keep") response.add_flags(flag);
  }
  if (verdict.status == worker::v1::COMPILE_STATUS_SUCCEEDED) {
    FillProgram(recipe, run->output, response);
    if (!request.invoke_source().empty() && !Exports(response.program().shared_object(), "cudaperf_invoke")) {
      // Cut off by an open comment or conditional at the source's end.
      response.set_status(worker::v1::COMPILE_STATUS_FAILED);
      response.clear_program();
      response.clear_kernels();
      Diagnostic& missing = log.diagnostics.emplace_back();
      missing.set_severity(reward::v1::SEVERITY_ERROR);
      missing.set_message("the source's end hides what follows it: an unfinished comment, string or #if?");
    }
  }
  for (Diagnostic& diagnostic : log.diagnostics) *response.add_diagnostics() = std::move(diagnostic);
  return response;
}

}  // namespace cudaperf::sandbox
