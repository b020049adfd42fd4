#ifndef CUDAPERF_SERVER_RPC_STATUS_H_
#define CUDAPERF_SERVER_RPC_STATUS_H_

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "grpcpp/support/status.h"

namespace cudaperf::server {

// What the wire says for one of our failures. INVALID_ARGUMENT messages of the form `field: fix` also carry
// google.rpc.BadRequest. Codes that describe neither the caller nor the load become INTERNAL: a worker's NOT_FOUND must
// not read as the caller's.
grpc::Status ToRpcStatus(const absl::Status& status);

// RESOURCE_EXHAUSTED with google.rpc.RetryInfo. The caller also sets the trailing metadata `grpc-retry-pushback-ms`.
grpc::Status QueueFullStatus(const absl::Status& status, absl::Duration retry_delay);

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_RPC_STATUS_H_
