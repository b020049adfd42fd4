#ifndef CUDAPERF_SERVER_REGISTERED_TASK_H_
#define CUDAPERF_SERVER_REGISTERED_TASK_H_

#include <string>

#include "cudaperf/reward/v1/report.pb.h"
#include "cudaperf/reward/v1/task.pb.h"
#include "cudaperf/worker/v1/judge.pb.h"

namespace cudaperf::server {

// A task that was admitted, with what every evaluation of it needs. Immutable once registered.
struct RegisteredTask {
  // `sha256:` and 64 hex digits.
  std::string task_id;
  reward::v1::Task task;
  // The compiled C reference.
  std::string reference_shared_object;
  // What a launcher must define.
  std::string launcher_prototype;
  // The baseline's run over the SCREEN cases, and over the MODEL cases: what speed is measured against.
  reward::v1::ExecutionReport baseline_screen;
  reward::v1::ExecutionReport baseline_verify;
  // The compiled baseline, for a GPU to time beside every candidate.
  worker::v1::CompiledProgram baseline;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_REGISTERED_TASK_H_
