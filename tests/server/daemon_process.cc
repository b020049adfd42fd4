#include "tests/server/daemon_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "grpcpp/grpcpp.h"

namespace cudaperf::server {
namespace {

constexpr absl::Duration kStartLimit = absl::Seconds(90);

std::string ReadAll(const std::string& path) {
  std::ifstream stream(path);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

}  // namespace

absl::StatusOr<std::unique_ptr<DaemonProcess>> DaemonProcess::Start(const std::string& binary,
                                                                    const std::vector<std::string>& flags) {
  std::string folder = std::filesystem::temp_directory_path() / "cudaperfd-test-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return absl::InternalError("cannot make a temporary folder");
  std::unique_ptr<DaemonProcess> daemon(new DaemonProcess(folder));
  if (absl::Status status = daemon->Spawn(binary, flags); !status.ok()) return status;
  if (absl::Status status = daemon->AwaitAddress(); !status.ok()) return status;
  daemon->stub_ =
      reward::v1::RewardService::NewStub(grpc::CreateChannel(daemon->address_, grpc::InsecureChannelCredentials()));
  return daemon;
}

DaemonProcess::~DaemonProcess() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  if (pidfd_ >= 0) close(pidfd_);
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

grpc::Status DaemonProcess::Evaluate(const reward::v1::Task& task, const std::string& source,
                                     reward::v1::Evaluation* evaluation) {
  reward::v1::EvaluateKernelRequest request;
  *request.mutable_task() = task;
  request.mutable_candidate()->set_source(source);
  request.set_skip_cache(true);
  grpc::ClientContext context;
  reward::v1::EvaluateKernelResponse response;
  const grpc::Status status = stub_->EvaluateKernel(&context, request, &response);
  *evaluation = std::move(*response.mutable_evaluation());
  return status;
}

std::string DaemonProcess::Log() const { return ReadAll(folder_ + "/log"); }

absl::StatusOr<int> DaemonProcess::Stop(int signal, absl::Duration limit) {
  kill(pid_, signal);
  if (!AwaitEnd(limit)) return absl::DeadlineExceededError("the daemon still runs");
  int status = 0;
  waitpid(std::exchange(pid_, -1), &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

absl::Status DaemonProcess::Spawn(const std::string& binary, const std::vector<std::string>& flags) {
  std::vector<std::string> words = {binary, "--listen_address=127.0.0.1:0", "--metrics_address=127.0.0.1:0",
                                    absl::StrCat("--address_file=", folder_, "/address")};
  words.insert(words.end(), flags.begin(), flags.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const std::string log = folder_ + "/log";
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  const int error = posix_spawn(&pid_, binary.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    pid_ = -1;
    return absl::NotFoundError(absl::StrCat("cannot start ", binary));
  }
  pidfd_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  return absl::OkStatus();
}

absl::Status DaemonProcess::AwaitAddress() {
  const absl::Time deadline = absl::Now() + kStartLimit;
  while (absl::Now() < deadline) {
    address_ = ReadAll(folder_ + "/address");
    if (!address_.empty()) {
      address_.erase(address_.find('\n'));
      return absl::OkStatus();
    }
    if (AwaitEnd(absl::Milliseconds(20))) return absl::InternalError(absl::StrCat("the daemon ended: ", Log()));
  }
  return absl::DeadlineExceededError(absl::StrCat("the daemon does not serve: ", Log()));
}

bool DaemonProcess::AwaitEnd(absl::Duration limit) const {
  pollfd ended = {pidfd_, POLLIN, 0};
  return poll(&ended, 1, static_cast<int>(absl::ToInt64Milliseconds(limit))) == 1;
}

}  // namespace cudaperf::server
