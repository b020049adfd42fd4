#include "sandbox/judge/judge_process.h"

#include <filesystem>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace cudaperf::sandbox {
namespace {

using worker::v1::JudgeRequest;
using worker::v1::JudgeResponse;

std::vector<std::string> Arguments(const JudgeProcess::Options& options) {
  int architecture = 0;
  if (!absl::SimpleAtoi(absl::StripPrefix(options.architecture, "sm_"), &architecture)) architecture = 90;
  const std::string runtime =
      std::filesystem::path(options.worker_directory).parent_path().append("lib").append("cudaperf-runtime").string();
  const int64_t memory =
      options.limits.has_worker_memory_bytes() ? options.limits.worker_memory_bytes() : int64_t{4} << 30;
  return {absl::StrCat(options.worker_directory, "/cudaperf-judge"),
          absl::StrCat("--worker_directory=", options.worker_directory),
          absl::StrCat("--runtime_directory=", runtime),
          absl::StrCat("--level=", static_cast<int>(options.level)),
          absl::StrCat("--worker_memory_bytes=", memory),
          absl::StrCat("--architecture=", architecture),
          absl::StrCat("--thread_count=", options.thread_count)};
}

}  // namespace

absl::StatusOr<std::unique_ptr<JudgeProcess>> JudgeProcess::Start(Options options) {
  options.worker_directory = std::filesystem::absolute(options.worker_directory).lexically_normal().string();
  if (absl::EndsWith(options.worker_directory, "/")) options.worker_directory.pop_back();
  absl::StatusOr<std::unique_ptr<JudgeConnection>> connection =
      JudgeConnection::Start({.argv = Arguments(options), .environment = {}});
  if (!connection.ok()) return connection.status();
  return std::unique_ptr<JudgeProcess>(new JudgeProcess(*std::move(connection)));
}

absl::StatusOr<worker::v1::ExamineResponse> JudgeProcess::Examine(worker::v1::ExamineRequest request,
                                                                  const CallScope& scope) {
  JudgeRequest message;
  *message.mutable_examine() = std::move(request);
  absl::StatusOr<JudgeResponse> response = connection_->Call(message, scope);
  if (!response.ok()) return response.status();
  worker::v1::ExamineResponse& examine = *response->mutable_examine();
  if (examine.status_code() != 0) {
    return absl::Status(static_cast<absl::StatusCode>(examine.status_code()), examine.status_message());
  }
  return std::move(examine);
}

absl::StatusOr<worker::v1::AdmitResponse> JudgeProcess::Admit(worker::v1::AdmitRequest request,
                                                              const CallScope& scope) {
  JudgeRequest message;
  *message.mutable_admit() = std::move(request);
  absl::StatusOr<JudgeResponse> response = connection_->Call(message, scope);
  if (!response.ok()) return response.status();
  worker::v1::AdmitResponse& admit = *response->mutable_admit();
  if (admit.status_code() != 0) {
    return absl::Status(static_cast<absl::StatusCode>(admit.status_code()), admit.status_message());
  }
  return std::move(admit);
}

}  // namespace cudaperf::sandbox
