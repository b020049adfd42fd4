#ifndef CUDAPERF_SERVER_SERVER_IDENTITY_H_
#define CUDAPERF_SERVER_SERVER_IDENTITY_H_

#include <string>

#include "cudaperf/reward/v1/evaluation.pb.h"
#include "cudaperf/reward/v1/report.pb.h"

namespace cudaperf::server {

// What this daemon is: the same in every answer's provenance and in DescribeServer.
struct ServerIdentity {
  std::string server_version;
  // `emulated`.
  std::string device;
  // Name of the data sheet or of the hardware that times are for.
  std::string gpu;
  std::string driver_version;
  std::string toolkit_version;
  std::string ranker_model;
  reward::v1::SandboxLevel sandbox_level = reward::v1::SANDBOX_LEVEL_UNSPECIFIED;
  reward::v1::TimingSource timing_source = reward::v1::TIMING_SOURCE_MODELED;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_SERVER_IDENTITY_H_
