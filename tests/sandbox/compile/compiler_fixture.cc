#include "tests/sandbox/compile/compiler_fixture.h"

#include <dirent.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "sandbox/jail/jailed_process.h"

namespace cudaperf::sandbox {
namespace {

constexpr char kWorkers[] = CUDAPERF_BINARY_DIR "/bin";
constexpr char kInvoke[] =
    "extern \"C\" __attribute__((visibility(\"default\"))) void cudaperf_invoke(void** a) {\n"
    "  saxpy(*(int*)a[0], *(float*)a[1], *(float**)a[2], *(float**)a[3]);\n}\n";

std::string ToolkitRoot() {
  const char* root = getenv("CUDAToolkit_ROOT");
  return root != nullptr ? root : "/usr/local/cuda";
}

// Whether this test started it, or something that it started did: other tests run beside this one.
bool IsOurs(pid_t pid) {
  while (pid > 1 && pid != getpid()) {
    std::ifstream status(absl::StrCat("/proc/", pid, "/status"));
    std::string word;
    while (status >> word && word != "PPid:") continue;
    if (!(status >> pid)) return false;
  }
  return pid == getpid();
}

// Ours whose command line, with its zeros, is one of these.
template <typename Predicate>
std::vector<pid_t> ProcessesWhere(Predicate is_wanted) {
  std::vector<pid_t> found;
  DIR* processes = opendir("/proc");
  while (const dirent* process = readdir(processes)) {
    std::ostringstream command;  // stays empty when the process ends while it is read
    command << std::ifstream(std::string("/proc/") + process->d_name + "/cmdline").rdbuf();
    const auto pid = static_cast<pid_t>(std::atoi(process->d_name));
    if (is_wanted(command.str()) && IsOurs(pid)) found.push_back(pid);
  }
  closedir(processes);
  return found;
}

// Whether it comes true, be the machine as busy as it may.
bool ComesTrue(const std::function<bool()>& holds) {
  const absl::Time give_up = absl::Now() + absl::Seconds(20);
  while (!holds()) {
    if (absl::Now() > give_up) return false;
    std::this_thread::yield();
  }
  return true;
}

}  // namespace

SandboxedCompiler* CompilerTest::compiler_ = nullptr;
int CompilerTest::idle_worker_count_ = 0;
std::string CompilerTest::refusal_;

std::string TextOf(const worker::v1::CompileResponse& response) {
  std::string text = response.detail() + "\n" + response.log();
  for (const auto& diagnostic : response.diagnostics()) {
    absl::StrAppend(&text, "\n", diagnostic.file(), ":", diagnostic.line(), ": ", diagnostic.message());
  }
  return text;
}

void CompilerTest::SetUpTestSuite() {
  SandboxedCompiler::Options options;
  options.worker_directory = kWorkers;
  options.toolkit_root = ToolkitRoot();
  const bool is_reduced = getenv("CUDAPERF_REDUCED") != nullptr;
  options.level = is_reduced ? reward::v1::SANDBOX_LEVEL_REDUCED : JailedProcess::BestLevel();
  options.memory_bytes = kMemoryBytes;
  absl::StatusOr<std::unique_ptr<SandboxedCompiler>> compiler = SandboxedCompiler::Create(options);
  if (is_reduced && absl::IsFailedPrecondition(compiler.status())) {
    refusal_ = compiler.status().ToString();
    return;
  }
  ASSERT_TRUE(compiler.ok()) << compiler.status();
  compiler_ = compiler->release();
  ASSERT_TRUE(ComesTrue([] { return Servers().size() >= 2; })) << "no spare child beside the server";
  idle_worker_count_ = WorkerCount();
}

void CompilerTest::TearDownTestSuite() {
  delete compiler_;
  compiler_ = nullptr;
}

void CompilerTest::SetUp() {
  if (!refusal_.empty()) GTEST_SKIP() << "not at this level here: " << refusal_;
  ASSERT_NE(compiler_, nullptr);
}

worker::v1::CompileRequest CompilerTest::Device(const std::string& source) {
  worker::v1::CompileRequest request;
  request.set_language(worker::v1::SOURCE_LANGUAGE_CUDA_DEVICE);
  request.set_source(source);
  request.mutable_time_limit()->set_seconds(30);
  return request;
}

worker::v1::CompileRequest CompilerTest::Launcher(const std::string& source) {
  worker::v1::CompileRequest request = Device(source);
  request.set_language(worker::v1::SOURCE_LANGUAGE_CUDA_LAUNCHER);
  request.set_entry_point("saxpy");
  request.set_invoke_source(kInvoke);
  request.mutable_time_limit()->set_seconds(60);
  return request;
}

worker::v1::CompileRequest CompilerTest::Reference(const std::string& source) {
  worker::v1::CompileRequest request = Launcher(source);
  request.set_language(worker::v1::SOURCE_LANGUAGE_C);
  request.set_invoke_source(
      "void cudaperf_invoke(void** a) {\n  saxpy(*(int*)a[0], *(float*)a[1], *(float**)a[2], *(float**)a[3]);\n}\n");
  return request;
}

worker::v1::CompileResponse CompilerTest::Compile(const worker::v1::CompileRequest& request) {
  absl::StatusOr<worker::v1::CompileResponse> response = compiler_->Compile(request, CallScope());
  EXPECT_TRUE(response.ok()) << response.status();
  return response.ok() ? *std::move(response) : worker::v1::CompileResponse();
}

int CompilerTest::WorkerCount() {
  return static_cast<int>(ProcessesWhere([](const std::string& command) {
                            return command.find(kWorkers) == 0 &&
                                   command.find("cudaperf-compiler") != std::string::npos;
                          }).size());
}

std::vector<pid_t> CompilerTest::Servers() {
  const std::string beginning = absl::StrCat(kWorkers, "/cudaperf-compiler", std::string(1, '\0'), "serve");
  return ProcessesWhere([&](const std::string& command) { return command.find(beginning) == 0; });
}

bool CompilerTest::WorkersAreIdle() {
  return ComesTrue([] { return WorkerCount() <= idle_worker_count_; });
}

}  // namespace cudaperf::sandbox
