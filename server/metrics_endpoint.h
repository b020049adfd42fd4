#ifndef CUDAPERF_SERVER_METRICS_ENDPOINT_H_
#define CUDAPERF_SERVER_METRICS_ENDPOINT_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace cudaperf::server {

// Answers HTTP GET for `/metrics` and `/healthz` on threads of its own until destroyed.
class MetricsEndpoint {
 public:
  struct Sources {
    // Body of /metrics.
    std::function<std::string()> metrics;
    // /healthz is 200 when true, else 503. Says that the process takes requests, nothing about the device.
    std::function<bool()> healthy;
  };

  // Listens on host:port; port 0 takes a free one. UNAVAILABLE when the address cannot be had.
  static absl::StatusOr<std::unique_ptr<MetricsEndpoint>> Listen(const std::string& address, Sources sources);

  ~MetricsEndpoint();

  int port() const;

 private:
  class Impl;
  explicit MetricsEndpoint(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_METRICS_ENDPOINT_H_
