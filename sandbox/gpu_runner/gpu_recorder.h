#ifndef CUDAPERF_SANDBOX_GPU_RUNNER_GPU_RECORDER_H_
#define CUDAPERF_SANDBOX_GPU_RUNNER_GPU_RECORDER_H_

#include <functional>

#include "cudaperf/worker/v1/gpu_runner.pb.h"

namespace cudaperf::sandbox {

// What the device did in a call, and what its counters say. Not thread-safe.
class GpuRecorder {
 public:
  virtual ~GpuRecorder() = default;

  // Forgets the records of earlier calls.
  virtual void Begin() = 0;
  // Once the device is idle: what it did since Begin.
  virtual worker::v1::GpuRecordsResponse TakeRecords() = 0;

  // Lets `call` happen under the profiler.
  virtual worker::v1::GpuProfileResponse Profile(const worker::v1::GpuProfileRequest& request,
                                                 const std::function<worker::v1::GpuCallResponse()>& call) = 0;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_GPU_RUNNER_GPU_RECORDER_H_
