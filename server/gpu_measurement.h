#ifndef CUDAPERF_SERVER_GPU_MEASUREMENT_H_
#define CUDAPERF_SERVER_GPU_MEASUREMENT_H_

#include <string>

#include "absl/status/statusor.h"
#include "cudaperf/config/v1/server_config.pb.h"
#include "cudaperf/reward/v1/report.pb.h"
#include "cudaperf/worker/v1/judge.pb.h"
#include "sandbox/measure/measurer.h"
#include "sandbox/worker/call_scope.h"
#include "server/examination.h"

namespace cudaperf::server {

// What a GPU found out about one compiled program: the stages verify, time and profile in one visit, since the
// program's process lives for all three.
struct GpuMeasurement {
  // MODEL and FULL cases, and SCREEN cases where the emulated device could not run them.
  reward::v1::ExecutionReport verify;
  // With cases when every case passed.
  reward::v1::TimingReport timing;
  // With executions when counters were read.
  worker::v1::GpuProfileResponse profile;
  reward::v1::Transfers transfers;
  // The program cannot be launched so; empty otherwise.
  std::string rejection;
  absl::Duration verify_duration;
  absl::Duration time_duration;
  absl::Duration profile_duration;
};

// The program in the form that the judge keeps of a baseline.
worker::v1::CompiledProgram ProgramOf(const Examinee& examinee);

// Whether the GPU is to run SCREEN cases too.
enum class ScreenCases { kLeftOut, kIncluded };

// Measures against `baseline`; FULL cases are timed, MODEL cases where the task has none.
absl::StatusOr<GpuMeasurement> Measure(sandbox::Measurer& measurer, const Examinee& examinee,
                                       const worker::v1::CompiledProgram& baseline, ScreenCases screen_cases,
                                       const config::v1::ServerConfig& config, const sandbox::CallScope& scope);

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_GPU_MEASUREMENT_H_
