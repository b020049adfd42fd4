#include "sandbox/gpu_runner/cupti_recorder.h"

namespace cudaperf::sandbox {

std::unique_ptr<CuptiRecorder> CuptiRecorder::Create(GpuContext* gpu, const std::string& toolkit_root) {
  std::unique_ptr<CuptiRecorder> recorder(new CuptiRecorder(gpu));
  recorder->record_error_ = recorder->counter_error_ = "CUPTI is not opened yet";
  return recorder;
}

void CuptiRecorder::Begin() {}

worker::v1::GpuRecordsResponse CuptiRecorder::TakeRecords() { return {}; }

worker::v1::GpuProfileResponse CuptiRecorder::Profile(reward::v1::ProfileLevel level,
                                                      const std::function<worker::v1::GpuCallResponse()>& call) {
  worker::v1::GpuProfileResponse response;
  response.set_counter_error(counter_error_);
  return response;
}

}  // namespace cudaperf::sandbox
