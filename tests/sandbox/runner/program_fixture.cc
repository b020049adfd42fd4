#include "tests/sandbox/runner/program_fixture.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "absl/strings/str_cat.h"

namespace cudaperf::sandbox {
namespace {

constexpr int kFirstFreeFd = 100;

std::string Binary(const std::string& name) { return absl::StrCat(CUDAPERF_BINARY_DIR, "/bin/", name); }

std::vector<char*> Pointers(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const std::string& string : strings) pointers.push_back(const_cast<char*>(string.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// After fork: nothing but system calls.
[[noreturn]] void Execute(char** argv, char** environment, const std::vector<std::pair<int, int>>& descriptors) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Out of the way first, so that no target overwrites a source.
  int moved[8];
  size_t count = 0;
  for (const auto& [ours, theirs] : descriptors) moved[count++] = fcntl(ours, F_DUPFD, kFirstFreeFd);
  for (size_t i = 0; i < count; ++i) dup2(moved[i], descriptors[i].second);
  for (int fd = 3; fd < 2 * kFirstFreeFd; ++fd) {
    bool wanted = false;
    for (const auto& [ours, theirs] : descriptors) wanted = wanted || theirs == fd;
    if (!wanted) close(fd);
  }
  execve(argv[0], argv, environment);
  _exit(127);
}

const std::string& Folder() {
  static const std::string* const folder = [] {
    std::string name = absl::StrCat(::testing::TempDir(), "/cudaperf_runner_XXXXXX");
    return new std::string(mkdtemp(name.data()));
  }();
  return *folder;
}

std::string Compile(const std::string& file, const std::vector<std::string>& compiler,
                    const std::vector<std::string>& environment) {
  const std::string object = absl::StrCat(Folder(), "/", file, ".so");
  if (access(object.c_str(), F_OK) == 0) return object;
  std::vector<std::string> argv = compiler;
  argv.insert(argv.end(), {"-o", object, absl::StrCat(CUDAPERF_SOURCE_DIR, "/tests/sandbox/runner/testdata/", file)});
  EXPECT_EQ(ChildProcess::Start(argv, environment, {})->Wait(), 0) << "compiling " << file;
  return object;
}

}  // namespace

std::unique_ptr<ChildProcess> ChildProcess::Start(const std::vector<std::string>& argv,
                                                  const std::vector<std::string>& environment,
                                                  const std::vector<std::pair<int, int>>& descriptors) {
  std::vector<char*> arguments = Pointers(argv);
  std::vector<char*> variables = Pointers(environment);
  const pid_t pid = fork();
  if (pid == 0) Execute(arguments.data(), variables.data(), descriptors);
  return std::unique_ptr<ChildProcess>(new ChildProcess(pid));
}

ChildProcess::~ChildProcess() {
  if (end_) return;
  kill(pid_, SIGKILL);
  Wait();
}

int ChildProcess::Wait() {
  int status = 0;
  if (!end_ && waitpid(pid_, &status, 0) == pid_) end_ = status;
  return *end_;
}

DeviceProcess DeviceProcess::Start() {
  auto control = *FrameChannel::CreatePair();
  auto command = *FrameChannel::CreatePair();
  DeviceProcess device;
  device.process =
      ChildProcess::Start({Binary("cudaperf-device")}, {}, {{control.second.fd(), 3}, {command.second.fd(), 4}});
  device.control = std::make_unique<DeviceClient>(std::move(control.first));
  device.command = command.first.ReleaseSocket();
  worker::v1::ConfigureRequest configure;
  configure.set_instruction_budget(10'000'000);
  configure.set_memory_limit_bytes(64 << 20);
  configure.set_checkers(true);
  configure.set_thread_count(1);
  configure.set_architecture(90);
  EXPECT_TRUE(device.control->Configure(configure).ok());
  // Commands are taken from the first reset on.
  worker::v1::CollectRequest reset;
  reset.set_reset(true);
  EXPECT_TRUE(device.control->Collect(reset).ok());
  return device;
}

RunnerProcess RunnerProcess::Start(const std::string& shared_object, UniqueFd command) {
  auto channel = *FrameChannel::CreatePair();
  std::vector<std::pair<int, int>> descriptors = {{channel.second.fd(), 3}};
  std::vector<std::string> environment;
  if (command.valid()) {
    descriptors.emplace_back(command.get(), 4);
    environment.push_back("CUDAPERF_DEVICE_FD=4");
  }
  RunnerProcess runner;
  runner.process = ChildProcess::Start({Binary("cudaperf-runner"), shared_object}, environment, descriptors);
  runner.channel = std::make_unique<FrameChannel>(std::move(channel.first));
  return runner;
}

absl::StatusOr<worker::v1::InvokeResponse> RunnerProcess::Invoke(const worker::v1::InvokeRequest& request,
                                                                 const std::vector<int>& memory) {
  const absl::Time deadline = absl::Now() + absl::Seconds(30);
  if (absl::Status sent = channel->Send(request, memory, deadline); !sent.ok()) return sent;
  return channel->ReceiveMessage<worker::v1::InvokeResponse>(deadline);
}

std::string CompileLauncher(const std::string& file) {
  return Compile(
      file,
      {absl::StrCat(CUDAPERF_TOOLKIT_ROOT, "/bin/nvcc"), "-shared", "-std=c++20", "-Xcompiler", "-fPIC", "-cudart",
       "shared", "-gencode", "arch=compute_90,code=[compute_90,sm_90]", "--compress-mode=none", "-lineinfo"},
      {absl::StrCat("PATH=", CUDAPERF_TOOLKIT_ROOT, "/bin:/usr/bin:/bin")});
}

std::string CompileC(const std::string& file) {
  return Compile(file, {"/usr/bin/cc", "-O2", "-std=c11", "-shared", "-fPIC"}, {"PATH=/usr/bin:/bin"});
}

}  // namespace cudaperf::sandbox
