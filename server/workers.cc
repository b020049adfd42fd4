#include "server/workers.h"

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "analyzers/instruction_mix_analyzer.h"
#include "analyzers/source_policy.h"
#include "sandbox/compile/sandboxed_compiler.h"
#include "sandbox/judge/judge_process.h"
#include "sandbox/measure/gpu_judge_process.h"
#include "server/target_gpu.h"
#include "server/toolkit.h"

namespace cudaperf::server {
namespace {

sandbox::JudgeProcess::Options JudgeOptions(const config::v1::ServerConfig& config, const std::string& architecture) {
  sandbox::JudgeProcess::Options options;
  options.worker_directory = config.worker_directory();
  options.toolkit_root = config.toolkit_root();
  options.level = config.sandbox_level();
  options.limits = config.limits();
  options.architecture = architecture;
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  options.thread_count = std::max(1, cores / config.slot_count());
  return options;
}

sandbox::SandboxedCompiler::Options CompilerOptions(const config::v1::ServerConfig& config,
                                                    const std::string& architecture) {
  sandbox::SandboxedCompiler::Options options;
  options.worker_directory = config.worker_directory();
  options.toolkit_root = config.toolkit_root();
  options.level = config.sandbox_level();
  options.memory_bytes = config.limits().worker_memory_bytes();
  options.architecture = architecture;
  return options;
}

// Null where the settings leave the choice and there is no GPU. A GPU that is there and cannot be used is an error: an
// operator who has one does not want modelled times unasked.
absl::StatusOr<std::unique_ptr<sandbox::Measurer>> StartMeasurer(const config::v1::ServerConfig& config,
                                                                 EventLog& log) {
  if (config.device() == "emulated") return nullptr;
  absl::StatusOr<std::unique_ptr<sandbox::GpuJudgeProcess>> measurer =
      sandbox::GpuJudgeProcess::Start({.worker_directory = config.worker_directory(),
                                       .toolkit_root = config.toolkit_root(),
                                       .level = config.sandbox_level(),
                                       .limits = config.limits(),
                                       .profile_level = config.profile_level(),
                                       .gpu = config.device()});
  if (measurer.ok()) return *std::move(measurer);
  if (config.device() == "auto" && absl::IsNotFound(measurer.status())) {
    log.Info("no GPU: candidates run on the emulated device", {{"reason", measurer.status().message()}});
    return nullptr;
  }
  return absl::Status(measurer.status().code(), absl::StrCat("device: ", measurer.status().message()));
}

}  // namespace

absl::StatusOr<Daemon::Parts> StartWorkers(const config::v1::ServerConfig& config) {
  Daemon::Parts parts;
  const auto format = config.log_format() == "json" ? EventLog::Format::kJson : EventLog::Format::kText;
  parts.log = EventLog::ToStderr(config.log_level(), format);
  absl::StatusOr<std::unique_ptr<sandbox::Measurer>> measurer = StartMeasurer(config, *parts.log);
  if (!measurer.ok()) return measurer.status();
  parts.measurer = *std::move(measurer);
  const absl::StatusOr<analyzers::GpuSheet> sheet = SheetFor(config, parts.measurer.get());
  if (!sheet.ok()) return sheet.status();
  const std::string architecture = ArchitectureOf(*sheet, parts.measurer.get());
  parts.server_version = CUDAPERF_VERSION;
  parts.toolkit_version = ToolkitVersion(config.toolkit_root());
  absl::StatusOr<std::unique_ptr<sandbox::SandboxedCompiler>> compiler =
      sandbox::SandboxedCompiler::Create(CompilerOptions(config, architecture));
  if (!compiler.ok()) return compiler.status();
  parts.compiler = *std::move(compiler);
  for (int slot = 0; slot < config.slot_count(); ++slot) {
    absl::StatusOr<std::unique_ptr<sandbox::JudgeProcess>> judge =
        sandbox::JudgeProcess::Start(JudgeOptions(config, architecture));
    if (!judge.ok()) return judge.status();
    parts.judges.push_back(*std::move(judge));
  }
  parts.analyzers.push_back(std::make_unique<analyzers::SourcePolicy>());
  parts.analyzers.push_back(std::make_unique<analyzers::InstructionMixAnalyzer>());
  return parts;
}

}  // namespace cudaperf::server
