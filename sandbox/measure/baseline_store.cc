#include "sandbox/measure/baseline_store.h"

#include <algorithm>
#include <utility>

namespace cudaperf::sandbox {

StoredBaseline& BaselineStore::Find(const worker::v1::MeasureRequest& request, MeasuredProgram::Options options) {
  const auto known = std::find_if(baselines_.begin(), baselines_.end(),
                                  [&](const StoredBaseline& entry) { return entry.task_id == request.task_id(); });
  if (known != baselines_.end()) {
    baselines_.splice(baselines_.begin(), baselines_, known);
    return baselines_.front();
  }
  if (baselines_.size() == kLimit) baselines_.pop_back();
  StoredBaseline& made = baselines_.emplace_front();
  made.task_id = request.task_id();
  made.task = request.task();
  made.compiled = request.baseline();
  options.task = &made.task;
  options.program = &made.compiled;
  made.program = std::make_unique<MeasuredProgram>(std::move(options));
  return made;
}

void BaselineStore::StopAll() {
  for (StoredBaseline& baseline : baselines_) (void)baseline.program->Stop();
}

}  // namespace cudaperf::sandbox
