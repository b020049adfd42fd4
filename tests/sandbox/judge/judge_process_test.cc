#include "sandbox/judge/judge_process.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stop_token>
#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "sandbox/jail/jailed_process.h"
#include "sandbox/task/prototype.h"
#include "tests/saxpy_task.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::CaseResult;
using reward::v1::CudaTask;
using ::testing::HasSubstr;
using worker::v1::ExamineRequest;
using worker::v1::ExamineResponse;

// y[i] = a * x[i] + y[i], one element per thread.
constexpr char kSaxpyPtx[] = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry saxpy(.param .u32 n, .param .f32 a, .param .u64 x, .param .u64 y)
{
  .reg .pred %p<2>; .reg .b32 %r<6>; .reg .f32 %f<5>; .reg .b64 %rd<8>;
  ld.param.u32 %r1, [n];
  ld.param.f32 %f1, [a];
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 bra DONE;
  cvta.to.global.u64 %rd3, %rd1;
  cvta.to.global.u64 %rd4, %rd2;
  mul.wide.s32 %rd5, %r5, 4;
  add.s64 %rd6, %rd3, %rd5;
  add.s64 %rd7, %rd4, %rd5;
  ld.global.f32 %f2, [%rd6];
  ld.global.f32 %f3, [%rd7];
  fma.rn.f32 %f4, %f1, %f2, %f3;
  st.global.f32 [%rd7], %f4;
DONE:
  ret;
}
)";

CudaTask SaxpyTask() {
  return tests::SaxpyTask({{"one", reward::v1::CASE_ROLE_SCREEN, 1},
                           {"prime", reward::v1::CASE_ROLE_SCREEN, 1021},
                           {"model", reward::v1::CASE_ROLE_MODEL, 20000}})
      .cuda();
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

// Runs `command SOURCE -o OBJECT` on a source file of that ending and returns the object's bytes.
std::string Build(const std::string& command, const std::string& ending, const std::string& source) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / absl::StrCat("judge_test_", getpid());
  std::filesystem::create_directories(folder);
  const std::filesystem::path file = folder / ("source" + ending);
  std::ofstream(file) << source;
  const std::filesystem::path object = folder / "object.so";
  const int status = std::system(absl::StrCat(command, " ", file.string(), " -o ", object.string()).c_str());
  EXPECT_EQ(status, 0) << command;
  std::string bytes = ReadFile(object);
  std::filesystem::remove_all(folder);
  return bytes;
}

// A shared object of C with the task's shim behind it.
std::string BuildC(const std::string& source) {
  return Build("cc -O1 -shared -fPIC -w", ".c", source + InvokeSource(SaxpyTask(), worker::v1::SOURCE_LANGUAGE_C));
}

std::vector<pid_t> Children() {
  std::vector<pid_t> children;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream list(thread.path() / "children");
    for (pid_t pid; list >> pid;) children.push_back(pid);
  }
  return children;
}

pid_t ParentOf(pid_t pid) {
  std::ifstream status(absl::StrCat("/proc/", pid, "/status"));
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("PPid:", 0) == 0) return std::stoi(line.substr(5));
  }
  return 0;
}

bool IsDescendant(pid_t pid) {
  while (pid > 1 && pid != getpid()) pid = ParentOf(pid);
  return pid == getpid();
}

// Workers of this process's judge.
std::vector<pid_t> WorkersNamed(const std::string& wanted) {
  std::vector<pid_t> workers;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::string name;
    std::getline(std::ifstream(entry.path() / "comm"), name);
    if (name != wanted) continue;
    const pid_t pid = std::stoi(entry.path().filename().string());
    if (IsDescendant(pid)) workers.push_back(pid);
  }
  return workers;
}

// Kills the emulated devices of this process's judge.
int KillDevices() {
  int count = 0;
  for (const pid_t pid : WorkersNamed("cudaperf-device")) count += kill(pid, SIGKILL) == 0 ? 1 : 0;
  return count;
}

void AwaitDeath(pid_t pid) {
  const UniqueFd pidfd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  if (!pidfd.valid()) return;  // reaped already
  pollfd entry{.fd = pidfd.get(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(poll(&entry, 1, 10000), 1);
}

class JudgeProcessTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    reference_ = new std::string(BuildC(SaxpyTask().reference_source()));
    JudgeProcess::Options options;
    options.worker_directory = WorkerDirectory();
    const bool is_reduced = std::getenv("CUDAPERF_REDUCED") != nullptr;
    options.level = is_reduced ? reward::v1::SANDBOX_LEVEL_REDUCED : JailedProcess::BestLevel();
    options.thread_count = 2;
    absl::StatusOr<std::unique_ptr<JudgeProcess>> judge = JudgeProcess::Start(options);
    if (is_reduced && !judge.ok()) {
      refusal_ = judge.status().ToString();
      return;
    }
    ASSERT_TRUE(judge.ok()) << judge.status();
    judge_ = judge->release();
  }
  static void TearDownTestSuite() {
    delete judge_;
    judge_ = nullptr;
    delete reference_;
    EXPECT_TRUE(Children().empty()) << "processes are left behind";
  }

  void SetUp() override {
    if (!refusal_.empty()) GTEST_SKIP() << "not at this level here: " << refusal_;
  }

  static std::string WorkerDirectory() { return CUDAPERF_BINARY_DIR "/bin"; }

  static ExamineRequest Request() {
    ExamineRequest request;
    request.set_task_id("sha256:saxpy");
    *request.mutable_task() = SaxpyTask();
    request.set_reference_shared_object(*reference_);
    for (int i = 0; i < 3; ++i) request.add_case_indices(i);
    request.set_checkers(true);
    request.mutable_case_time_limit()->set_seconds(10);
    request.set_instruction_budget(10'000'000);
    request.set_device_memory_limit_bytes(int64_t{256} << 20);
    return request;
  }

  static ExamineRequest DeviceOnly(const std::string& ptx) {
    ExamineRequest request = Request();
    request.set_kind(reward::v1::CANDIDATE_KIND_DEVICE_ONLY);
    request.mutable_program()->set_ptx(ptx);
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(R"pb(
                                                                name: "saxpy"
                                                                demangled_name: "saxpy"
                                                                parameter_types: [ "u32", "f32", "u64", "u64" ])pb",
                                                              request.add_kernels()));
    EXPECT_TRUE(
        google::protobuf::TextFormat::ParseFromString(R"pb(
                                                        kernel: "saxpy" grid: "ceil_div(n, 256)" block: "256")pb",
                                                      request.add_launches()));
    return request;
  }

  static ExamineRequest Launcher(const std::string& source) {
    ExamineRequest request = Request();
    request.set_kind(reward::v1::CANDIDATE_KIND_LAUNCHER);
    request.mutable_program()->set_shared_object(
        BuildC("#include <stdlib.h>\n#include <unistd.h>\n#include <signal.h>\n" + source));
    request.mutable_case_time_limit()->set_seconds(2);
    return request;
  }

  static ExamineResponse Examine(const ExamineRequest& request) {
    absl::StatusOr<ExamineResponse> response = judge_->Examine(request, CallScope());
    EXPECT_TRUE(response.ok()) << response.status();
    return response.value_or(ExamineResponse());
  }
  // The first case's result: the one that ends the walk.
  static CaseResult First(const ExamineRequest& request) {
    const ExamineResponse response = Examine(request);
    EXPECT_EQ(response.rejection(), "");
    return response.cases_size() > 0 ? response.cases(0) : CaseResult();
  }

  static void ExpectHonestProgramPasses() {
    const ExamineResponse response = Examine(DeviceOnly(kSaxpyPtx));
    ASSERT_EQ(response.cases_size(), 3);
    for (const CaseResult& result : response.cases()) {
      EXPECT_EQ(result.status(), reward::v1::CASE_STATUS_PASSED) << result.ShortDebugString();
    }
  }

  static JudgeProcess* judge_;
  static std::string* reference_;
  // Why the machine does not allow the level that was asked for.
  static std::string refusal_;
};

JudgeProcess* JudgeProcessTest::judge_ = nullptr;
std::string* JudgeProcessTest::reference_ = nullptr;
std::string JudgeProcessTest::refusal_;

TEST_F(JudgeProcessTest, HonestProgramPassesWithItsCounters) {
  const ExamineResponse response = Examine(DeviceOnly(kSaxpyPtx));
  ASSERT_EQ(response.cases_size(), 3);
  for (const CaseResult& result : response.cases()) {
    EXPECT_EQ(result.status(), reward::v1::CASE_STATUS_PASSED) << result.ShortDebugString();
    ASSERT_EQ(result.executions_size(), 1);
    EXPECT_GT(absl::Nanoseconds(result.duration().nanos()), absl::ZeroDuration());
  }
  const reward::v1::Counters& counters = response.cases(1).executions(0).counters();
  // 1021 elements: 32 warps, two loads each, packed: 4 sectors a warp, and the last one's 29 lanes need 4 too.
  EXPECT_EQ(counters.global_load_request_count(), 64);
  EXPECT_EQ(counters.global_load_sector_count(), 256);
  EXPECT_EQ(response.cases(1).case_name(), "prime");
  EXPECT_EQ(response.cases(2).role(), reward::v1::CASE_ROLE_MODEL);
}

TEST_F(JudgeProcessTest, WrongTailIsFoundAndEndsTheWalk) {
  const std::string wrong = absl::StrReplaceAll(kSaxpyPtx, {{"setp.ge", "sub.s32 %r1, %r1, 1;\n  setp.ge"}});
  const ExamineResponse response = Examine(DeviceOnly(wrong));
  ASSERT_EQ(response.cases_size(), 3);
  EXPECT_EQ(response.cases(0).status(), reward::v1::CASE_STATUS_WRONG_RESULT);
  EXPECT_EQ(response.cases(1).status(), reward::v1::CASE_STATUS_SKIPPED);
  ExamineRequest all = DeviceOnly(wrong);
  all.set_run_all(true);
  const CaseResult prime = Examine(all).cases(1);
  EXPECT_EQ(prime.status(), reward::v1::CASE_STATUS_WRONG_RESULT);
  ASSERT_EQ(prime.mismatches_size(), 1);
  EXPECT_EQ(prime.mismatches(0).pattern(), reward::v1::MISMATCH_PATTERN_TAIL);
  EXPECT_EQ(prime.mismatches(0).elements(0).index(), 1020);
  EXPECT_THAT(prime.detail(), HasSubstr("y: 1 of 1021 elements are wrong (the last 1); element 1020: got"));
}

TEST_F(JudgeProcessTest, AccessBeyondABufferIsAMemoryFault) {
  const CaseResult result = First(DeviceOnly(absl::StrReplaceAll(kSaxpyPtx, {{"@%p1 bra DONE;", ""}})));
  EXPECT_EQ(result.status(), reward::v1::CASE_STATUS_MEMORY_FAULT);
  ASSERT_GE(result.findings_size(), 1);
  EXPECT_EQ(result.findings(0).kind(), reward::v1::FINDING_KIND_OUT_OF_BOUNDS);
  EXPECT_NE(result.detail(), "");
}

TEST_F(JudgeProcessTest, EveryCaseRunsAfterAFaultWhenAsked) {
  ExamineRequest request = DeviceOnly(absl::StrReplaceAll(kSaxpyPtx, {{"@%p1 bra DONE;", ""}}));
  request.set_run_all(true);
  const ExamineResponse response = Examine(request);
  EXPECT_EQ(response.cases_size(), 3);
  for (const CaseResult& result : response.cases()) {
    EXPECT_EQ(result.status(), reward::v1::CASE_STATUS_MEMORY_FAULT) << result.ShortDebugString();
  }
}

TEST_F(JudgeProcessTest, WritingAnInputIsAMemoryFault) {
  const CaseResult result =
      First(DeviceOnly(absl::StrReplaceAll(kSaxpyPtx, {{"st.global.f32 [%rd7]", "st.global.f32 [%rd6]"}})));
  EXPECT_EQ(result.status(), reward::v1::CASE_STATUS_MEMORY_FAULT);
  ASSERT_GE(result.findings_size(), 1);
  EXPECT_EQ(result.findings(0).kind(), reward::v1::FINDING_KIND_READ_ONLY_WRITE);
}

TEST_F(JudgeProcessTest, EndlessKernelStopsAtItsBudget) {
  const CaseResult result = First(DeviceOnly(absl::StrReplaceAll(kSaxpyPtx, {{"DONE:", "SPIN: bra SPIN;\nDONE:"}})));
  EXPECT_EQ(result.status(), reward::v1::CASE_STATUS_TIMED_OUT) << result.ShortDebugString();
}

TEST_F(JudgeProcessTest, EndlessKernelStopsAtItsTime) {
  ExamineRequest request = DeviceOnly(absl::StrReplaceAll(kSaxpyPtx, {{"DONE:", "SPIN: bra SPIN;\nDONE:"}}));
  request.set_instruction_budget(int64_t{1} << 50);
  request.mutable_case_time_limit()->set_seconds(0);
  request.mutable_case_time_limit()->set_nanos(300'000'000);
  const absl::Time start = absl::Now();
  const CaseResult result = First(request);
  EXPECT_EQ(result.status(), reward::v1::CASE_STATUS_TIMED_OUT);
  EXPECT_THAT(result.detail(), HasSubstr("did not end within 300ms"));
  EXPECT_LT(absl::Now() - start, absl::Seconds(5));
  ExpectHonestProgramPasses();
}

TEST_F(JudgeProcessTest, WhatTheEmulatorLacksCostsNothing) {
  const CaseResult result = First(
      DeviceOnly(absl::StrReplaceAll(kSaxpyPtx, {{"fma.rn.f32 %f4, %f1, %f2, %f3;", "quux.sync.f32 %f4, %f1;"}})));
  EXPECT_EQ(result.status(), reward::v1::CASE_STATUS_NOT_SCREENED);
  EXPECT_THAT(result.detail(), HasSubstr("quux"));
}

TEST_F(JudgeProcessTest, LaunchThatDoesNotFitIsARejection) {
  ExamineRequest request = DeviceOnly(kSaxpyPtx);
  request.mutable_launches(0)->set_block(0, "2048");
  EXPECT_THAT(Examine(request).rejection(), HasSubstr("block of 2048 x 1 x 1 threads"));
  request = DeviceOnly(kSaxpyPtx);
  request.mutable_launches(0)->add_arguments("n");
  EXPECT_THAT(Examine(request).rejection(), HasSubstr("takes (u32, f32, u64, u64), 1 argument was given"));
  request = DeviceOnly(kSaxpyPtx);
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString("name: 's' dtype: DATA_TYPE_FLOAT64 extent: '1000000000'",
                                                            request.add_scratch()));
  EXPECT_THAT(Examine(request).rejection(), HasSubstr("scratch buffers need more device memory"));
}

TEST_F(JudgeProcessTest, LauncherThatDoesNothingIsWrong) {
  EXPECT_EQ(First(Launcher("void saxpy(int n, float a, float* x, float* y) {}")).status(),
            reward::v1::CASE_STATUS_WRONG_RESULT);
}

TEST_F(JudgeProcessTest, CrashOfHostCodeIsToldInWords) {
  CaseResult result = First(Launcher("void saxpy(int n, float a, float* x, float* y) { *(volatile int*)8 = 1; }"));
  EXPECT_EQ(result.status(), reward::v1::CASE_STATUS_CRASHED);
  EXPECT_EQ(result.detail(), "the host process was ended by signal 11 (Segmentation fault) before saxpy returned");
  result = First(Launcher("void saxpy(int n, float a, float* x, float* y) { exit(0); }"));
  EXPECT_EQ(result.status(), reward::v1::CASE_STATUS_CRASHED);
  EXPECT_EQ(result.detail(), "the host process exited with status 0 before saxpy returned");
  result = First(Launcher(
      "__attribute__((constructor)) void f() { _exit(7); } void saxpy(int n, float a, float* x, float* y) {}"));
  EXPECT_EQ(result.status(), reward::v1::CASE_STATUS_CRASHED);
  EXPECT_THAT(result.detail(), HasSubstr("status 7"));
}

TEST_F(JudgeProcessTest, EndlessHostCodeTimesOut) {
  const CaseResult result = First(Launcher("void saxpy(int n, float a, float* x, float* y) { for (;;) sleep(1); }"));
  EXPECT_EQ(result.status(), reward::v1::CASE_STATUS_TIMED_OUT);
  EXPECT_EQ(result.detail(), "saxpy did not return within 2s");
}

TEST_F(JudgeProcessTest, ForgedAnswersConvinceNobody) {
  // An empty InvokeResponse, and then half a frame.
  CaseResult result =
      First(Launcher("void saxpy(int n, float a, float* x, float* y) { char z[8] = {0}; write(3, z, 8); exit(0); }"));
  EXPECT_EQ(result.status(), reward::v1::CASE_STATUS_WRONG_RESULT);
  result =
      First(Launcher("void saxpy(int n, float a, float* x, float* y) { write(3, \"\\xff\\xff\\xff\\xff\\0\\0\\0\\0\", "
                     "8); pause(); }"));
  EXPECT_EQ(result.status(), reward::v1::CASE_STATUS_CRASHED);
  result = First(Launcher("void saxpy(int n, float a, float* x, float* y) { write(3, \"\\x10\\0\", 2); pause(); }"));
  EXPECT_EQ(result.status(), reward::v1::CASE_STATUS_CRASHED);
  ExpectHonestProgramPasses();
}

TEST_F(JudgeProcessTest, HostCodeThatComputesInsteadOfTheDeviceIsRejected) {
  ExamineRequest request = Launcher(SaxpyTask().reference_source());
  request.mutable_task()->set_memory_space(reward::v1::MEMORY_SPACE_HOST);
  request.set_task_id("sha256:saxpy_host");
  EXPECT_EQ(Examine(request).rejection(), "saxpy launched no kernel: the work must be done on the device");
}

TEST_F(JudgeProcessTest, UnresolvedRuntimeFunctionIsOurLack) {
  const auto missing = [](const std::string& function, const std::string& source) {
    ExamineRequest request = Launcher(source);
    request.mutable_program()->add_cuda_functions(function);
    return request;
  };
  CaseResult result =
      First(missing("cudaQuux", "int cudaQuux(void); void saxpy(int n, float a, float* x, float* y) { cudaQuux(); }"));
  EXPECT_EQ(result.status(), reward::v1::CASE_STATUS_NOT_SCREENED) << result.ShortDebugString();
  EXPECT_EQ(result.detail(), "unsupported: cudaQuux");
  result = First(Launcher("int quux(void); void saxpy(int n, float a, float* x, float* y) { quux(); }"));
  EXPECT_EQ(result.status(), reward::v1::CASE_STATUS_CRASHED);
}

// A launcher of kernels, with the functions of CUDA's runtime that it refers to.
worker::v1::Program CudaProgram(const std::string& source) {
  worker::v1::Program program;
  program.set_shared_object(
      Build(CUDAPERF_TOOLKIT_ROOT "/bin/nvcc -w -shared -cudart shared -gencode arch=compute_90,code=compute_90 "
                                  "--compress-mode=none -Xcompiler -fPIC",
            ".cu", source + InvokeSource(SaxpyTask(), worker::v1::SOURCE_LANGUAGE_CUDA_LAUNCHER)));
  for (const char* function : {"cudaLaunchKernel", "cudaMalloc", "cudaMemcpy"}) program.add_cuda_functions(function);
  return program;
}

// For host pointers: copies all, launches `kernel`, and computes on the host where `host_work` says so.
std::string HostLauncher(const std::string& kernel, const std::string& host_work) {
  return absl::StrCat("__global__ void kernel(int n, float a, const float* x, float* y) {", kernel, R"(}
extern "C" void saxpy(int n, float a, const float* x, float* y) {
  float *dx, *dy;
  cudaMalloc(&dx, n * sizeof(float));
  cudaMalloc(&dy, n * sizeof(float));
  cudaMemcpy(dx, x, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y, n * sizeof(float), cudaMemcpyHostToDevice);
  kernel<<<(n + 127) / 128, 128>>>(n, a, dx, dy);
  cudaMemcpy(y, dy, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(dx);
  cudaFree(dy);
)",
                      host_work, "}\n");
}

absl::Duration HostDuration(const CaseResult& result) {
  return absl::Seconds(result.host_duration().seconds()) + absl::Nanoseconds(result.host_duration().nanos());
}

TEST_F(JudgeProcessTest, HostWorkBesideADecoyKernelIsMeasured) {
  ExamineRequest request = Request();
  request.set_kind(reward::v1::CANDIDATE_KIND_LAUNCHER);
  request.set_task_id("sha256:saxpy_on_host");
  request.mutable_task()->set_memory_space(reward::v1::MEMORY_SPACE_HOST);
  *request.mutable_program() =
      CudaProgram(HostLauncher("int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = a * x[i] + y[i];", ""));
  const ExamineResponse honest = Examine(request);
  EXPECT_EQ(honest.cases_size(), 3) << honest.rejection();
  for (const CaseResult& result : honest.cases()) {
    EXPECT_EQ(result.status(), reward::v1::CASE_STATUS_PASSED) << result.ShortDebugString();
    EXPECT_EQ(HostDuration(result), absl::ZeroDuration()) << "an honest launcher is charged " << HostDuration(result);
  }
  // Slow work of the host's own, on another thread too.
  *request.mutable_program() = CudaProgram(
      "#include <thread>\n#include <time.h>\n"
      "static void spin() { for (clock_t end = clock() + CLOCKS_PER_SEC / 10; clock() < end;) {} }\n" +
      HostLauncher("", "std::thread t(spin); t.join(); for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];"));
  const ExamineResponse decoy = Examine(request);
  EXPECT_EQ(decoy.cases_size(), 3) << decoy.rejection();
  for (const CaseResult& result : decoy.cases()) {
    EXPECT_EQ(result.status(), reward::v1::CASE_STATUS_PASSED) << result.ShortDebugString();
    EXPECT_GT(HostDuration(result), absl::Milliseconds(50));
    EXPECT_LT(HostDuration(result), absl::Milliseconds(150));
  }
}

TEST_F(JudgeProcessTest, LackThatTheObjectCannotHaveMetIsRejected) {
  // What the emulated runtime sends when a function of it is missing, sent by the launcher itself.
  worker::v1::DeviceRequest report;
  report.mutable_report()->set_error(worker::v1::DEVICE_ERROR_UNSUPPORTED);
  report.mutable_report()->set_detail("cudaGraphCreate");
  const std::string bytes = report.SerializeAsString();
  std::string frame(8, '\0');
  frame[0] = static_cast<char>(bytes.size());
  std::string literal;
  for (const char byte : frame + bytes) absl::StrAppend(&literal, static_cast<int>(byte), ",");
  ExamineRequest request =
      Launcher(absl::StrCat("void saxpy(int n, float a, float* x, float* y) { char frame[] = {", literal,
                            "}; char answer[64]; write(4, frame, sizeof(frame)); read(4, answer, sizeof(answer)); }"));
  EXPECT_EQ(Examine(request).rejection(),
            "the host process says that it needs cudaGraphCreate, which its compiled object does not refer to");
  request.mutable_program()->add_cuda_functions("cudaGraphCreate");
  EXPECT_EQ(First(request).status(), reward::v1::CASE_STATUS_NOT_SCREENED);
}

TEST_F(JudgeProcessTest, RealLauncherPasses) {
  const std::string source = R"(
__global__ void kernel(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" void saxpy(int n, float a, const float* x, float* y) { kernel<<<(n + 127) / 128, 128>>>(n, a, x, y); }
)";
  ExamineRequest request = Request();
  request.set_kind(reward::v1::CANDIDATE_KIND_LAUNCHER);
  *request.mutable_program() = CudaProgram(source);
  const ExamineResponse response = Examine(request);
  ASSERT_EQ(response.cases_size(), 3) << response.rejection();
  for (const CaseResult& result : response.cases()) {
    EXPECT_EQ(result.status(), reward::v1::CASE_STATUS_PASSED) << result.ShortDebugString();
    EXPECT_EQ(result.executions_size(), 1);
  }
}

TEST_F(JudgeProcessTest, AdmissionRunsTheRealReference) {
  worker::v1::AdmitRequest request;
  request.set_task_id("sha256:saxpy");
  *request.mutable_task() = SaxpyTask();
  request.set_reference_shared_object(*reference_);
  request.mutable_case_time_limit()->set_seconds(10);
  absl::StatusOr<worker::v1::AdmitResponse> response = judge_->Admit(request, CallScope());
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->refusal(), "");

  request.set_task_id("sha256:crash");
  request.set_reference_shared_object(
      BuildC("void saxpy(int n, float a, const float* x, float* y) { __builtin_trap(); }"));
  response = judge_->Admit(request, CallScope());
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_THAT(response->refusal(), HasSubstr("the reference was ended by signal"));

  request.set_task_id("sha256:nothing");
  request.set_reference_shared_object(BuildC("void saxpy(int n, float a, const float* x, float* y) {}"));
  response = judge_->Admit(request, CallScope());
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_THAT(response->refusal(), HasSubstr("an untouched output passes every case"));
}

TEST_F(JudgeProcessTest, CrashingReferenceIsTheTasksFault) {
  ExamineRequest request = DeviceOnly(kSaxpyPtx);
  request.set_task_id("sha256:other");
  request.set_reference_shared_object(
      BuildC("void saxpy(int n, float a, const float* x, float* y) { __builtin_trap(); }"));
  EXPECT_TRUE(absl::IsFailedPrecondition(judge_->Examine(request, CallScope()).status()));
}

TEST_F(JudgeProcessTest, ReferenceStaysWarmForTheNextRequestOfItsTask) {
  ExpectHonestProgramPasses();
  const std::vector<pid_t> before = WorkersNamed("cudaperf-runner");
  ASSERT_GE(before.size(), 1u);
  ExpectHonestProgramPasses();
  EXPECT_EQ(WorkersNamed("cudaperf-runner"), before);
}

TEST_F(JudgeProcessTest, ReferencesOfManyTasksAreBounded) {
  for (int i = 0; i < 6; ++i) {
    ExamineRequest request = DeviceOnly(kSaxpyPtx);
    request.set_task_id(absl::StrCat("sha256:", i));
    EXPECT_EQ(Examine(request).cases_size(), 3);
  }
  // The one that left last may still be ending.
  const absl::Time limit = absl::Now() + absl::Seconds(5);
  while (WorkersNamed("cudaperf-runner").size() > 4 && absl::Now() < limit) {
  }
  EXPECT_LE(WorkersNamed("cudaperf-runner").size(), 4u);
}

TEST_F(JudgeProcessTest, ReferenceThatDiedBetweenRequestsIsReplaced) {
  ExpectHonestProgramPasses();
  for (const pid_t pid : WorkersNamed("cudaperf-runner")) {
    kill(pid, SIGKILL);
    AwaitDeath(pid);
  }
  ExpectHonestProgramPasses();
}

TEST_F(JudgeProcessTest, EndlessReferenceIsStoppedByTheRequestsLimit) {
  ExamineRequest request = DeviceOnly(kSaxpyPtx);
  request.set_task_id("sha256:endless");
  request.set_reference_shared_object(
      BuildC("void saxpy(int n, float a, const float* x, float* y) { for (volatile int i = 0;;) i = 1; }"));
  request.mutable_case_time_limit()->set_seconds(1);
  const absl::Time start = absl::Now();
  const absl::Status status = judge_->Examine(request, CallScope()).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("did not return within 1s"));
  EXPECT_LT(absl::Now() - start, absl::Seconds(10));
}

TEST_F(JudgeProcessTest, CancellationEndsTheWorkAtOnceAndKeepsTheJudge) {
  ExamineRequest request = DeviceOnly(absl::StrReplaceAll(kSaxpyPtx, {{"DONE:", "SPIN: bra SPIN;\nDONE:"}}));
  request.set_instruction_budget(int64_t{1} << 50);
  request.mutable_case_time_limit()->set_seconds(60);
  ExpectHonestProgramPasses();
  const int64_t starts = judge_->start_count();
  std::stop_source stop;
  absl::Time cancelled;
  std::jthread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // into the endless kernel
    cancelled = absl::Now();
    stop.request_stop();
  });
  CallScope scope;
  scope.stop = stop.get_token();
  EXPECT_TRUE(absl::IsCancelled(judge_->Examine(request, scope).status()));
  EXPECT_LT(absl::Now() - cancelled, absl::Seconds(2));
  ExpectHonestProgramPasses();
  EXPECT_EQ(judge_->start_count(), starts);
}

TEST_F(JudgeProcessTest, DeadlineEndsTheWork) {
  ExamineRequest request = DeviceOnly(absl::StrReplaceAll(kSaxpyPtx, {{"DONE:", "SPIN: bra SPIN;\nDONE:"}}));
  request.set_instruction_budget(int64_t{1} << 50);
  request.mutable_case_time_limit()->set_seconds(60);
  CallScope scope;
  scope.deadline = absl::Now() + absl::Milliseconds(500);
  EXPECT_TRUE(absl::IsDeadlineExceeded(judge_->Examine(request, scope).status()));
  ExpectHonestProgramPasses();
}

TEST_F(JudgeProcessTest, DeadJudgeIsReplaced) {
  ExpectHonestProgramPasses();
  const int64_t starts = judge_->start_count();
  const std::vector<pid_t> children = Children();
  ASSERT_EQ(children.size(), 1u);
  kill(children[0], SIGKILL);
  AwaitDeath(children[0]);
  ExpectHonestProgramPasses();
  EXPECT_EQ(judge_->start_count(), starts + 1);
}

TEST_F(JudgeProcessTest, DeathOfTheJudgeDuringACallIsUnavailable) {
  ExamineRequest request = DeviceOnly(absl::StrReplaceAll(kSaxpyPtx, {{"DONE:", "SPIN: bra SPIN;\nDONE:"}}));
  request.set_instruction_budget(int64_t{1} << 50);
  request.mutable_case_time_limit()->set_seconds(60);
  ExpectHonestProgramPasses();
  std::jthread killer([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // into the endless kernel
    for (pid_t child : Children()) kill(child, SIGKILL);
  });
  EXPECT_TRUE(absl::IsUnavailable(judge_->Examine(request, CallScope()).status()));
  ExpectHonestProgramPasses();
}

TEST_F(JudgeProcessTest, DeadDeviceIsReplacedOnceAndNeverChargedToTheCandidate) {
  ExamineRequest request = DeviceOnly(absl::StrReplaceAll(kSaxpyPtx, {{"DONE:", "SPIN: bra SPIN;\nDONE:"}}));
  request.set_instruction_budget(int64_t{1} << 50);
  request.mutable_case_time_limit()->set_seconds(2);
  ExpectHonestProgramPasses();
  std::jthread killer([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // into the endless kernel
    EXPECT_GE(KillDevices(), 1);
  });
  EXPECT_EQ(First(request).status(), reward::v1::CASE_STATUS_TIMED_OUT);
  killer.join();

  request.mutable_case_time_limit()->set_seconds(30);
  std::jthread relentless([](std::stop_token stop) {
    while (!stop.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      KillDevices();
    }
  });
  EXPECT_TRUE(absl::IsInternal(judge_->Examine(request, CallScope()).status()));
  relentless.request_stop();
  relentless.join();
  ExpectHonestProgramPasses();
}

TEST_F(JudgeProcessTest, ZeroLimitsAreRefused) {
  ExamineRequest request = DeviceOnly(kSaxpyPtx);
  request.set_instruction_budget(0);
  EXPECT_TRUE(absl::IsInvalidArgument(judge_->Examine(request, CallScope()).status()));
  request = DeviceOnly(kSaxpyPtx);
  request.add_case_indices(3);
  EXPECT_TRUE(absl::IsInvalidArgument(judge_->Examine(request, CallScope()).status()));
}

}  // namespace
}  // namespace cudaperf::sandbox
