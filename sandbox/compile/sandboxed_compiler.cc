#include "sandbox/compile/sandboxed_compiler.h"

#include <climits>
#include <cstdlib>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "sandbox/compile/compile_time.h"

namespace cudaperf::sandbox {
namespace {

using worker::v1::CompileRequest;
using worker::v1::CompileResponse;

absl::StatusOr<std::string> Resolve(const std::string& path) {
  char resolved[PATH_MAX];
  if (realpath(path.c_str(), resolved) == nullptr) return absl::NotFoundError(absl::StrCat("there is no ", path));
  return std::string(resolved);
}

// It becomes part of a command line: `sm_` and digits, with a letter at most behind them.
bool IsArchitecture(const std::string& text) {
  if (!absl::StartsWith(text, "sm_") || text.size() < 5 || text.size() > 8) return false;
  for (size_t i = 3; i < text.size(); ++i) {
    const bool is_last_letter = i + 1 == text.size() && (text[i] == 'a' || text[i] == 'f');
    if (!absl::ascii_isdigit(static_cast<unsigned char>(text[i])) && !is_last_letter) return false;
  }
  return true;
}

constexpr absl::Duration kLeastTimeForNvcc = absl::Seconds(1);

// NVRTC knows no host headers and refuses host functions; authors mean nvcc, and they are told what NVRTC says only
// when nvcc says no as well. What ptxas says is the same for both.
bool MayBeFineForNvcc(const CompileResponse& response) {
  return response.status() == worker::v1::COMPILE_STATUS_FAILED && !absl::StrContains(response.log(), "ptxas");
}

// Whether NVRTC complained about what it lacks, rather than about what is wrong.
bool IsAboutTheHost(const CompileResponse& response) {
  for (const reward::v1::Diagnostic& diagnostic : response.diagnostics()) {
    if (absl::StrContains(diagnostic.message(), "cannot open source file") ||
        absl::StrContains(diagnostic.message(), "host function")) {
      return true;
    }
  }
  return false;
}

}  // namespace

SandboxedCompiler::SandboxedCompiler(CompileJailOptions jail, int64_t max_source_bytes,
                                     std::shared_ptr<NvrtcWorker> nvrtc)
    : jail_(std::move(jail)), max_source_bytes_(max_source_bytes), host_builder_(jail_), nvrtc_(std::move(nvrtc)) {}

absl::StatusOr<std::unique_ptr<SandboxedCompiler>> SandboxedCompiler::Create(const Options& options) {
  if (options.memory_bytes <= 0) return absl::InvalidArgumentError("memory_bytes must be above zero");
  if (!IsArchitecture(options.architecture)) {
    return absl::InvalidArgumentError(
        absl::StrCat("architecture '", options.architecture, "' is not of the form sm_90"));
  }
  absl::StatusOr<std::string> toolkit_root = Resolve(options.toolkit_root);
  if (!toolkit_root.ok()) return toolkit_root.status();
  absl::StatusOr<std::string> workers = Resolve(options.worker_directory);
  if (!workers.ok()) return workers.status();
  CompileJailOptions jail{.worker_directory = *workers,
                          .toolkit_root = *toolkit_root,
                          .level = options.level,
                          .memory_bytes = options.memory_bytes,
                          .architecture = options.architecture};
  absl::StatusOr<std::unique_ptr<NvrtcWorker>> nvrtc = NvrtcWorker::Start(jail);
  if (!nvrtc.ok()) return nvrtc.status();
  return std::unique_ptr<SandboxedCompiler>(
      new SandboxedCompiler(std::move(jail), options.max_source_bytes, *std::move(nvrtc)));
}

absl::StatusOr<CompileResponse> SandboxedCompiler::Compile(const CompileRequest& request, const CallScope& scope) {
  if (scope.stop.stop_requested()) return absl::CancelledError("compilation cancelled");
  const auto size = static_cast<int64_t>(request.source().size());
  if (size == 0 || size > max_source_bytes_) {
    return absl::InvalidArgumentError(
        absl::StrCat("source of ", size, " bytes: 1 to ", max_source_bytes_, " are allowed"));
  }
  CompileRequest complete = request;
  if (complete.architecture().empty()) complete.set_architecture(jail_.architecture);
  if (!IsArchitecture(complete.architecture()))
    return absl::InvalidArgumentError("architecture is not of the form sm_90");
  switch (complete.language()) {
    case worker::v1::SOURCE_LANGUAGE_CUDA_DEVICE:
      return CompileForDevice(std::move(complete), scope);
    case worker::v1::SOURCE_LANGUAGE_CUDA_LAUNCHER:
    case worker::v1::SOURCE_LANGUAGE_C:
      return host_builder_.Compile(complete, scope);
    default:
      return absl::InvalidArgumentError("language is not given");
  }
}

absl::StatusOr<std::shared_ptr<NvrtcWorker>> SandboxedCompiler::Nvrtc() {
  std::lock_guard lock(mutex_);
  if (nvrtc_ != nullptr && nvrtc_->IsAlive()) return nvrtc_;
  nvrtc_.reset();
  absl::StatusOr<std::unique_ptr<NvrtcWorker>> fresh = NvrtcWorker::Start(jail_);
  // It started once: what keeps it from starting now is this machine's trouble of the moment.
  if (!fresh.ok()) {
    return absl::UnavailableError(absl::StrCat("NVRTC's server does not start: ", fresh.status().message()));
  }
  nvrtc_ = *std::move(fresh);
  return nvrtc_;
}

void SandboxedCompiler::Discard(const std::shared_ptr<NvrtcWorker>& worker) {
  std::lock_guard lock(mutex_);
  if (nvrtc_ == worker) nvrtc_.reset();
}

absl::StatusOr<CompileResponse> SandboxedCompiler::CompileForDevice(CompileRequest request, const CallScope& scope) {
  const absl::Time start = absl::Now();
  absl::StatusOr<CompileResponse> quick = CompileWithNvrtc(request, scope);
  if (!quick.ok() || !MayBeFineForNvcc(*quick)) return quick;
  // One budget for both: NVRTC, which runs on one thread, has taken no more processor time than this.
  const absl::Duration left = CpuTimeLimit(request) - (absl::Now() - start);
  if (left < kLeastTimeForNvcc) return quick;
  request.mutable_time_limit()->set_seconds(absl::ToInt64Seconds(left));
  request.mutable_time_limit()->set_nanos(0);
  absl::StatusOr<CompileResponse> thorough = host_builder_.Compile(request, scope);
  // NVRTC's columns are the source's; nvcc's are those of the preprocessed source.
  const bool agree = thorough.ok() && thorough->status() == worker::v1::COMPILE_STATUS_FAILED;
  return agree && !IsAboutTheHost(*quick) ? quick : thorough;
}

absl::StatusOr<CompileResponse> SandboxedCompiler::CompileWithNvrtc(const CompileRequest& request,
                                                                    const CallScope& scope) {
  absl::Status last;
  // Once more with a fresh worker: that the old one died may have been another candidate's doing.
  for (int attempt = 0; attempt < 2; ++attempt) {
    absl::StatusOr<std::shared_ptr<NvrtcWorker>> nvrtc = Nvrtc();
    if (!nvrtc.ok()) {
      last = nvrtc.status();
      continue;
    }
    absl::StatusOr<CompileResponse> response = (*nvrtc)->Compile(request, scope);
    if (!absl::IsUnavailable(response.status())) return response;
    last = response.status();
    Discard(*nvrtc);
  }
  return last;
}

}  // namespace cudaperf::sandbox
