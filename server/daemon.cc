#include "server/daemon.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "grpcpp/ext/proto_server_reflection_plugin.h"
#include "grpcpp/health_check_service_interface.h"
#include "grpcpp/server_builder.h"
#include "proto/duration.h"
#include "sandbox/compile/caching_compiler.h"
#include "server/caching_evaluator.h"
#include "server/examining_task_admission.h"
#include "server/logging_evaluator.h"
#include "server/metered_compiler.h"
#include "server/metered_evaluator.h"
#include "server/metered_judge.h"
#include "server/metered_measurer.h"
#include "server/pipeline_evaluator.h"
#include "server/pooled_judge.h"
#include "server/target_gpu.h"

namespace cudaperf::server {
namespace {

constexpr const char* kServiceName = "cudaperf.reward.v1.RewardService";
constexpr int64_t kCompileCacheBytes = int64_t{256} << 20;
// How long stopped work gets to die after the drain limit.
constexpr absl::Duration kStopGrace = absl::Seconds(3);

int Milliseconds(absl::Duration duration) { return static_cast<int>(absl::ToInt64Milliseconds(duration)); }

// Long-lived clients may ping while they wait, and reconnect now and then so that balancers see new daemons.
void SetConnectionRules(const config::v1::ServerConfig& config, grpc::ServerBuilder* builder) {
  const int max_message_bytes = static_cast<int>(config.max_message_bytes());
  builder->SetMaxReceiveMessageSize(max_message_bytes);
  builder->SetMaxSendMessageSize(max_message_bytes);
  builder->AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder->AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, Milliseconds(absl::Seconds(10)));
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, Milliseconds(absl::Minutes(1)));
  builder->AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, Milliseconds(absl::Seconds(20)));
  builder->AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_MS, Milliseconds(absl::Minutes(30)));
  builder->AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_GRACE_MS, Milliseconds(absl::Minutes(15)));
}

ServerIdentity IdentityOf(const config::v1::ServerConfig& config, const Daemon::Parts& parts,
                          const analyzers::GpuSheet& gpu) {
  ServerIdentity identity;
  identity.server_version = parts.server_version;
  identity.device = "emulated";
  identity.gpu = std::string(gpu.title);
  identity.toolkit_version = parts.toolkit_version;
  identity.sandbox_level = config.sandbox_level();
  identity.timing_source = reward::v1::TIMING_SOURCE_MODELED;
  if (parts.measurer == nullptr) return identity;
  const worker::v1::GpuIdentity& found = parts.measurer->gpu();
  identity.device = absl::StrCat(found.name(), " ", found.uuid());
  identity.gpu = absl::StrCat(found.name(), ", ", found.multiprocessor_count(), " multiprocessors, at most ",
                              found.clock_khz() / 1000, " MHz, memory ", found.memory_clock_khz() / 1000, " MHz");
  identity.driver_version = found.driver_version();
  identity.timing_source = reward::v1::TIMING_SOURCE_MEASURED;
  return identity;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Daemon>> Daemon::Start(config::v1::ServerConfig config, Parts parts) {
  std::unique_ptr<Daemon> daemon(new Daemon(std::move(config)));
  if (absl::Status status = daemon->Compose(std::move(parts)); !status.ok()) return status;
  if (absl::Status status = daemon->Listen(); !status.ok()) return status;
  if (absl::Status status = daemon->ListenForMetrics(); !status.ok()) return status;
  return daemon;
}

Daemon::Daemon(config::v1::ServerConfig config) : config_(std::move(config)) {}

Daemon::~Daemon() {
  if (server_ != nullptr && !draining_) Drain(absl::ZeroDuration());
}

absl::Status Daemon::Compose(Parts parts) {
  absl::StatusOr<analyzers::GpuSheet> gpu = SheetFor(config_, parts.measurer.get());
  if (!gpu.ok()) return gpu.status();
  const ServerIdentity identity = IdentityOf(config_, parts, *gpu);
  const BuildOptions build = {ArchitectureOf(*gpu, parts.measurer.get()),
                              proto::FromProto(config_.limits().compile_time())};
  log_ = std::move(parts.log);
  metrics_ = std::make_unique<ServerMetrics>(identity.server_version, identity.device, identity.gpu);
  compiler_ = std::make_unique<sandbox::CachingCompiler>(
      std::make_unique<MeteredCompiler>(std::move(parts.compiler), metrics_.get()), kCompileCacheBytes);
  judge_ = std::make_unique<MeteredJudge>(std::make_unique<PooledJudge>(std::move(parts.judges)), metrics_.get());
  ComposeMeasurer(std::move(parts.measurer));
  admission_ = std::make_unique<ExaminingTaskAdmission>(
      ExaminingTaskAdmission::Options{compiler_.get(), judge_.get(), measurer_.get(), build, *gpu, config_});
  registry_ = std::make_unique<TaskRegistry>(admission_.get(), config_.task_limit());

  PipelineEvaluator::Options road;
  road.config = config_;
  road.identity = identity;
  road.build = build;
  road.gpu = *gpu;
  road.analyzers = std::move(parts.analyzers);
  road.compiler = compiler_.get();
  road.judge = judge_.get();
  road.measurer = measurer_.get();
  road.metrics = metrics_.get();
  road.log = log_.get();
  evaluator_ = std::make_unique<PipelineEvaluator>(std::move(road));
  evaluator_ = std::make_unique<CachingEvaluator>(std::move(evaluator_), config_, metrics_.get());
  evaluator_ = std::make_unique<MeteredEvaluator>(std::move(evaluator_), metrics_.get());
  evaluator_ = std::make_unique<LoggingEvaluator>(std::move(evaluator_), log_.get());

  queue_ = std::make_unique<WorkQueue>(WorkQueue::Options{config_.slot_count(), config_.queue_limit()});
  service_ = std::make_unique<QueuedRewardService>(QueuedRewardService::Options{
      config_, identity, evaluator_.get(), registry_.get(), queue_.get(), metrics_.get(), log_.get()});
  metrics_->SetLoadSource([this] {
    return ServerMetrics::Load{queue_->queued_count(), queue_->in_flight_count(),
                               static_cast<int>(registry_->List().size())};
  });
  return absl::OkStatus();
}

void Daemon::ComposeMeasurer(std::unique_ptr<sandbox::Measurer> measurer) {
  if (measurer == nullptr) return;
  measurer_ = std::make_unique<MeteredMeasurer>(std::move(measurer), metrics_.get(), [this](bool healthy) {
    if (healthy) {
      log_->Info("the GPU is back", {});
    } else {
      log_->Error("the GPU is lost: NOT_SERVING", {});
    }
    gpu_healthy_ = healthy;
    UpdateHealth();
  });
}

void Daemon::UpdateHealth() {
  if (server_ == nullptr) return;
  server_->GetHealthCheckService()->SetServingStatus(kServiceName, gpu_healthy_ && !draining_);
}

absl::Status Daemon::Listen() {
  grpc::EnableDefaultHealthCheckService(true);
  if (config_.reflection()) grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  SetConnectionRules(config_, &builder);
  int port = 0;
  builder.AddListeningPort(config_.listen_address(), grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(service_.get());
  server_ = builder.BuildAndStart();
  if (server_ == nullptr || port == 0) {
    return absl::UnavailableError(absl::StrCat("listen_address: cannot listen on ", config_.listen_address()));
  }
  const std::string& listen = config_.listen_address();
  address_ = absl::StartsWith(listen, "unix:") ? listen : absl::StrCat(listen.substr(0, listen.rfind(':')), ":", port);
  UpdateHealth();
  return absl::OkStatus();
}

absl::Status Daemon::ListenForMetrics() {
  if (config_.metrics_address().empty()) return absl::OkStatus();
  absl::StatusOr<std::unique_ptr<MetricsEndpoint>> endpoint = MetricsEndpoint::Listen(
      config_.metrics_address(), {[this] { return metrics_->Render(); }, [this] { return !draining_; }});
  if (!endpoint.ok()) return endpoint.status();
  endpoint_ = *std::move(endpoint);
  return absl::OkStatus();
}

absl::Status Daemon::RegisterTask(const reward::v1::Task& task) {
  return registry_->Register(task, sandbox::CallScope{}).status();
}

bool Daemon::Drain(absl::Duration limit) {
  draining_ = true;
  server_->GetHealthCheckService()->SetServingStatus(false);
  service_->Drain();
  const bool finished = queue_->AwaitIdle(absl::Now() + limit);
  if (!finished) {
    service_->StopAll();
    queue_->AwaitIdle(absl::Now() + kStopGrace);
  }
  server_->Shutdown(absl::ToChronoTime(absl::Now() + absl::Seconds(1)));
  endpoint_ = nullptr;
  return finished;
}

}  // namespace cudaperf::server
