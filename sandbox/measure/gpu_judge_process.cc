#include "sandbox/measure/gpu_judge_process.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace cudaperf::sandbox {
namespace {

JudgeConnection::Options ConnectionOptions(const GpuJudgeProcess::Options& options) {
  const std::string folder =
      std::filesystem::absolute(options.worker_directory + "/.").lexically_normal().parent_path().string();
  const int64_t memory =
      options.limits.has_worker_memory_bytes() ? options.limits.worker_memory_bytes() : int64_t{4} << 30;
  JudgeConnection::Options connection;
  connection.argv = {absl::StrCat(folder, "/cudaperf-gpu-judge"),
                     absl::StrCat("--worker_directory=", folder),
                     absl::StrCat("--toolkit_root=", options.toolkit_root),
                     absl::StrCat("--level=", static_cast<int>(options.level)),
                     absl::StrCat("--worker_memory_bytes=", memory),
                     absl::StrCat("--profile_level=", static_cast<int>(options.profile_level)),
                     absl::StrCat("--gpu=", options.gpu)};
  // Where the driver's libraries are, and which GPUs a container was given.
  for (const char* name : {"LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES"}) {
    if (const char* value = std::getenv(name)) connection.environment.push_back(absl::StrCat(name, "=", value));
  }
  return connection;
}

}  // namespace

absl::StatusOr<std::unique_ptr<GpuJudgeProcess>> GpuJudgeProcess::Start(const Options& options) {
  absl::StatusOr<std::unique_ptr<JudgeConnection>> connection = JudgeConnection::Start(ConnectionOptions(options));
  if (!connection.ok()) return connection.status();
  return std::unique_ptr<GpuJudgeProcess>(new GpuJudgeProcess(*std::move(connection)));
}

absl::StatusOr<worker::v1::MeasureResponse> GpuJudgeProcess::Measure(worker::v1::MeasureRequest request,
                                                                     const CallScope& scope) {
  worker::v1::JudgeRequest message;
  *message.mutable_measure() = std::move(request);
  absl::StatusOr<worker::v1::JudgeResponse> response = connection_->Call(message, scope);
  if (!response.ok()) return response.status();
  worker::v1::MeasureResponse& measure = *response->mutable_measure();
  if (measure.status_code() != 0) {
    return absl::Status(static_cast<absl::StatusCode>(measure.status_code()), measure.status_message());
  }
  return std::move(measure);
}

}  // namespace cudaperf::sandbox
