// Any bytes as a request: validation answers OK or INVALID_ARGUMENT and digests never fail, whatever they say.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "cudaperf/config/v1/server_config.pb.h"
#include "cudaperf/reward/v1/reward_service.pb.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/stubs/logging.h"
#include "google/protobuf/text_format.h"
#include "sandbox/task/task_digest.h"
#include "server/candidate_build.h"
#include "server/request_validation.h"
#include "server/server_settings.h"

namespace {

const cudaperf::config::v1::ServerConfig& Settings() {
  static const auto* const settings = new cudaperf::config::v1::ServerConfig(
      *cudaperf::server::CompleteSettings({}, cudaperf::server::MachineDefaults()));
  return *settings;
}

class Quiet : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int, google::protobuf::io::ColumnNumber, const std::string&) override {}
};

void Check(const absl::Status& status) {
  if (!status.ok() && !absl::IsInvalidArgument(status)) std::abort();
}

}  // namespace

// Text first, so that the seeds can be read; bytes that are no text proto are tried as a serialised message.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const google::protobuf::LogSilencer no_log_of_bad_text;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  cudaperf::reward::v1::EvaluateKernelRequest request;
  google::protobuf::TextFormat::Parser parser;
  Quiet quiet;
  parser.RecordErrorsTo(&quiet);
  if (!parser.ParseFromString(bytes, &request) && !request.ParsePartialFromString(bytes)) return 0;
  const absl::Status status = cudaperf::server::ValidateRequest(request, Settings());
  Check(status);
  if (!status.ok()) return 0;
  cudaperf::sandbox::TaskDigest(request.task());
  cudaperf::sandbox::CandidateDigest(request.candidate());
  cudaperf::server::PlanBuild(request.task().cuda(), request.candidate(), {"sm_90", absl::Seconds(1)});
  cudaperf::reward::v1::RegisterTaskRequest registration;
  *registration.mutable_task() = request.task();
  Check(cudaperf::server::ValidateRequest(registration, Settings()));
  return 0;
}
