#ifndef CUDAPERF_SERVER_WORKERS_H_
#define CUDAPERF_SERVER_WORKERS_H_

#include "absl/status/statusor.h"
#include "cudaperf/config/v1/server_config.pb.h"
#include "server/daemon.h"

namespace cudaperf::server {

// Starts the real compiler and judges as the settings say, and names the analyzers: the parts of a daemon that is not a
// test. Call it before gRPC starts any thread.
absl::StatusOr<Daemon::Parts> StartWorkers(const config::v1::ServerConfig& config);

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_WORKERS_H_
