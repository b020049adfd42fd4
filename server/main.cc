// cudaperfd: reads settings, starts the workers and then the service, and waits for SIGTERM.

#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "google/protobuf/text_format.h"
#include "proto/duration.h"
#include "proto/task_file.h"
#include "sandbox/jail/jailed_process.h"
#include "server/command_line.h"
#include "server/daemon.h"
#include "server/server_settings.h"
#include "server/toolkit.h"
#include "server/workers.h"

namespace cudaperf::server {
namespace {

constexpr int kStopped = 1;
constexpr int kBadSettings = 2;
constexpr int kCannotServe = 3;
constexpr int kHung = 4;

// Written by the signal handler; the only thing one may do in it.
int signal_event = -1;

void OnSignal(int) {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(signal_event, &one, sizeof(one));
}

void CatchSignals() {
  signal_event = eventfd(0, EFD_CLOEXEC);
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
}

void AwaitSignal() {
  uint64_t count = 0;
  while (read(signal_event, &count, sizeof(count)) < 0) {
  }
}

int Fail(int code, const absl::Status& status) {
  std::cerr << "cudaperfd: " << status.message() << "\n";
  return code;
}

absl::StatusOr<config::v1::ServerConfig> ReadSettings(const CommandLine& line) {
  config::v1::ServerConfig config;
  if (!line.config_path.empty()) {
    absl::StatusOr<std::string> text = proto::ReadFile(line.config_path);
    if (!text.ok()) return absl::InvalidArgumentError(absl::StrCat("--config: ", text.status().message()));
    absl::StatusOr<config::v1::ServerConfig> parsed = ParseSettings(*text);
    if (!parsed.ok())
      return absl::InvalidArgumentError(absl::StrCat(line.config_path, ": ", parsed.status().message()));
    config = *std::move(parsed);
  }
  for (const auto& [path, value] : line.settings) {
    if (absl::Status status = SetField(path, value, &config); !status.ok()) return status;
  }
  return config;
}

MachineDefaults ThisMachine() {
  MachineDefaults machine;
  machine.core_count = static_cast<int>(std::thread::hardware_concurrency());
  machine.toolkit_root = DefaultToolkitRoot();
  machine.worker_directory = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  machine.sandbox_level = sandbox::JailedProcess::BestLevel();
  return machine;
}

// The level the settings ask for is the one that is used, here and in every answer.
absl::Status CheckLevel(const MachineDefaults& machine, const config::v1::ServerConfig& config) {
  if (machine.sandbox_level == reward::v1::SANDBOX_LEVEL_UNSPECIFIED) {
    return absl::InvalidArgumentError(
        "sandbox_level: no jail works here: cudaperf-jail must lie beside cudaperfd, and the kernel must have Landlock "
        "and seccomp");
  }
  if (config.sandbox_level() > machine.sandbox_level) {
    return absl::InvalidArgumentError(
        absl::StrCat("sandbox_level: this machine allows ", reward::v1::SandboxLevel_Name(machine.sandbox_level),
                     ", the settings ask for ", reward::v1::SandboxLevel_Name(config.sandbox_level()),
                     ": allow user namespaces, or accept less"));
  }
  return absl::OkStatus();
}

absl::Status RegisterTasks(const config::v1::ServerConfig& config, Daemon* daemon) {
  std::vector<std::string> paths;
  for (const std::string& given : config.tasks()) {
    for (std::string& path : proto::FindTasks(given)) paths.push_back(std::move(path));
  }
  for (const std::string& path : paths) {
    absl::StatusOr<reward::v1::Task> task = proto::ReadTaskFile(path);
    if (!task.ok()) return absl::InvalidArgumentError(absl::StrCat("tasks: ", task.status().message()));
    if (absl::Status status = daemon->RegisterTask(*task); !status.ok()) {
      return absl::Status(status.code(), absl::StrCat("tasks: ", path, ": ", status.message()));
    }
  }
  return absl::OkStatus();
}

// A reader never sees half an address: the file appears when it is whole.
absl::Status WriteAddress(const std::string& address, const std::string& path) {
  if (path.empty()) return absl::OkStatus();
  const std::string partial = path + ".partial";
  std::ofstream(partial) << address << "\n";
  std::error_code error;
  std::filesystem::rename(partial, path, error);
  return error ? absl::UnavailableError(absl::StrCat("--address_file: ", path, ": ", error.message()))
               : absl::OkStatus();
}

// Ends the process should draining hang: an orchestrator must never have to wait for us.
void StartWatchdog(absl::Duration limit) {
  std::thread([limit] {
    absl::SleepFor(limit + absl::Seconds(8));
    _exit(kHung);
  }).detach();
}

int Serve(const config::v1::ServerConfig& config, const std::string& address_file) {
  absl::StatusOr<Daemon::Parts> parts = StartWorkers(config);
  if (!parts.ok()) return Fail(kCannotServe, parts.status());
  EventLog* const log = parts->log.get();
  absl::StatusOr<std::unique_ptr<Daemon>> daemon = Daemon::Start(config, *std::move(parts));
  if (!daemon.ok()) return Fail(kCannotServe, daemon.status());
  if (absl::Status status = RegisterTasks(config, daemon->get()); !status.ok()) return Fail(kBadSettings, status);
  if (absl::Status status = WriteAddress((*daemon)->address(), address_file); !status.ok())
    return Fail(kCannotServe, status);
  log->Info(absl::StrCat("listening on ", (*daemon)->address()),
            {{"metrics_port", (*daemon)->metrics_port()},
             {"slots", config.slot_count()},
             {"sandbox_level", reward::v1::SandboxLevel_Name(config.sandbox_level())}});
  AwaitSignal();
  const absl::Duration limit = proto::FromProto(config.drain_limit());
  log->Info("draining", {{"limit", absl::FormatDuration(limit)}});
  StartWatchdog(limit);
  const bool finished = (*daemon)->Drain(limit);
  log->Info("stopped", {{"all_work_finished", finished ? "true" : "false"}});
  *daemon = nullptr;
  return finished ? 0 : kStopped;
}

int Main(const std::vector<std::string>& arguments) {
  absl::StatusOr<CommandLine> line = ParseCommandLine(arguments);
  if (!line.ok()) return Fail(kBadSettings, line.status());
  if (line->action == CommandLine::Action::kPrintHelp) {
    std::cout << HelpText();
    return 0;
  }
  if (line->action == CommandLine::Action::kPrintVersion) {
    std::cout << "cudaperfd " << CUDAPERF_VERSION << "\n";
    return 0;
  }
  const MachineDefaults machine = ThisMachine();
  absl::StatusOr<config::v1::ServerConfig> config = ReadSettings(*line);
  if (!config.ok()) return Fail(kBadSettings, config.status());
  config = CompleteSettings(*std::move(config), machine);
  if (!config.ok()) return Fail(kBadSettings, config.status());
  if (absl::Status status = CheckLevel(machine, *config); !status.ok()) return Fail(kBadSettings, status);
  if (line->action == CommandLine::Action::kPrintConfig) {
    std::string text;
    google::protobuf::TextFormat::PrintToString(*config, &text);
    std::cout << text;
    return 0;
  }
  CatchSignals();
  return Serve(*config, line->address_file);
}

}  // namespace
}  // namespace cudaperf::server

int main(int argc, char** argv) { return cudaperf::server::Main({argv + 1, argv + argc}); }
