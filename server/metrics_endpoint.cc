#include "server/metrics_endpoint.h"

#include <civetweb.h>

#include <chrono>
#include <stop_token>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace cudaperf::server {
namespace {

int Respond(mg_connection* connection, int code, absl::string_view type, const std::string& body) {
  const std::string head =
      absl::StrCat("HTTP/1.1 ", code, code == 200 ? " OK" : " Service Unavailable", "\r\nContent-Type: ", type,
                   "\r\nContent-Length: ", body.size(), "\r\nConnection: close\r\n\r\n");
  mg_write(connection, head.data(), head.size());
  mg_write(connection, body.data(), body.size());
  return code;
}

int ServeMetrics(mg_connection* connection, void* sources) {
  return Respond(connection, 200, "text/plain; version=0.0.4; charset=utf-8",
                 static_cast<MetricsEndpoint::Sources*>(sources)->metrics());
}

int ServeHealth(mg_connection* connection, void* sources) {
  const bool healthy = static_cast<MetricsEndpoint::Sources*>(sources)->healthy();
  return Respond(connection, healthy ? 200 : 503, "text/plain", healthy ? "ok\n" : "draining\n");
}

// civetweb looks every two seconds whether it was told to stop, and whenever somebody connects.
void KnockUntil(std::stop_token stop, int port) {
  while (!stop.stop_requested()) {
    char error[128];
    mg_connection* connection = mg_connect_client("127.0.0.1", port, /*use_ssl=*/0, error, sizeof(error));
    if (connection != nullptr) mg_close_connection(connection);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace

class MetricsEndpoint::Impl {
 public:
  explicit Impl(Sources sources) : sources_(std::move(sources)) { mg_init_library(0); }
  ~Impl() {
    if (context_ != nullptr) {
      const std::jthread knocker([port = port()](std::stop_token stop) { KnockUntil(stop, port); });
      mg_stop(context_);
    }
    mg_exit_library();
  }

  absl::Status Listen(const std::string& address) {
    // civetweb knows addresses, not names.
    const std::string port = absl::StartsWith(address, "localhost:") ? "127.0.0.1" + address.substr(9) : address;
    const char* options[] = {"listening_ports",    port.c_str(), "num_threads", "2",
                             "request_timeout_ms", "5000",       nullptr};
    const mg_callbacks callbacks = {};
    context_ = mg_start(&callbacks, nullptr, options);
    if (context_ == nullptr) return absl::UnavailableError(absl::StrCat("metrics_address: cannot listen on ", address));
    mg_set_request_handler(context_, "/metrics$", ServeMetrics, &sources_);
    mg_set_request_handler(context_, "/healthz$", ServeHealth, &sources_);
    return absl::OkStatus();
  }

  int port() const {
    mg_server_port port = {};
    return mg_get_server_ports(context_, 1, &port) == 1 ? port.port : 0;
  }

 private:
  Sources sources_;
  mg_context* context_ = nullptr;
};

absl::StatusOr<std::unique_ptr<MetricsEndpoint>> MetricsEndpoint::Listen(const std::string& address, Sources sources) {
  auto impl = std::make_unique<Impl>(std::move(sources));
  if (absl::Status status = impl->Listen(address); !status.ok()) return status;
  return std::unique_ptr<MetricsEndpoint>(new MetricsEndpoint(std::move(impl)));
}

MetricsEndpoint::MetricsEndpoint(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
MetricsEndpoint::~MetricsEndpoint() = default;
int MetricsEndpoint::port() const { return impl_->port(); }

}  // namespace cudaperf::server
