#ifndef CUDAPERF_SANDBOX_MEASURE_BASELINE_STORE_H_
#define CUDAPERF_SANDBOX_MEASURE_BASELINE_STORE_H_

#include <list>
#include <memory>
#include <set>
#include <string>

#include "cudaperf/worker/v1/judge.pb.h"
#include "sandbox/measure/measured_program.h"

namespace cudaperf::sandbox {

// A task's baseline in a runner of its own, kept for the next request of the same task.
struct StoredBaseline {
  std::string task_id;
  reward::v1::CudaTask task;
  worker::v1::CompiledProgram compiled;
  std::unique_ptr<MeasuredProgram> program;
  // Cases in which it was seen to answer as the reference does.
  std::set<int> checked_cases;
};

// The baselines of the tasks used last. Not thread-safe.
class BaselineStore {
 public:
  // Runners kept.
  static constexpr size_t kLimit = 16;

  // `options`: all but task and program. Valid until the next call.
  StoredBaseline& Find(const worker::v1::MeasureRequest& request, MeasuredProgram::Options options);
  // After a fault: every runner is given up, what was learned stays.
  void StopAll();

 private:
  // Most recently used first.
  std::list<StoredBaseline> baselines_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_MEASURE_BASELINE_STORE_H_
