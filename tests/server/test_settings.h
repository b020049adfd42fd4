#ifndef CUDAPERF_TESTS_SERVER_TEST_SETTINGS_H_
#define CUDAPERF_TESTS_SERVER_TEST_SETTINGS_H_

#include "cudaperf/config/v1/server_config.pb.h"
#include "gtest/gtest.h"
#include "server/server_settings.h"

namespace cudaperf::server {

// Settings of a small daemon on free ports.
inline config::v1::ServerConfig TestSettings() {
  config::v1::ServerConfig config;
  config.set_listen_address("127.0.0.1:0");
  config.set_metrics_address("127.0.0.1:0");
  config.set_slot_count(1);
  config.set_queue_limit(1);
  absl::StatusOr<config::v1::ServerConfig> complete = CompleteSettings(config, {.core_count = 1});
  EXPECT_TRUE(complete.ok()) << complete.status();
  return *complete;
}

}  // namespace cudaperf::server

#endif  // CUDAPERF_TESTS_SERVER_TEST_SETTINGS_H_
