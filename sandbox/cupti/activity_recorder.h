#ifndef CUDAPERF_SANDBOX_CUPTI_ACTIVITY_RECORDER_H_
#define CUDAPERF_SANDBOX_CUPTI_ACTIVITY_RECORDER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "cudaperf/worker/v1/gpu_runner.pb.h"
#include "sandbox/cupti/cupti_library.h"

namespace cudaperf::sandbox {

// Records what the device does, with the device's own time stamps, by CUPTI's activity records: kernels, copies, fills.
// Recording goes on from Start to the end of this object's life; Begin and End cut out one call. CUPTI has one set of
// records per process, so there is one recorder per process. Not thread-safe; CUPTI's own threads may deliver records.
class ActivityRecorder {
 public:
  // With a CUDA context current, before a candidate is there. FAILED_PRECONDITION when there is a recorder already;
  // else as CuptiLibrary::Check. `library` is not owned; outlives this.
  static absl::StatusOr<std::unique_ptr<ActivityRecorder>> Start(const CuptiLibrary* library);
  ~ActivityRecorder();
  ActivityRecorder(const ActivityRecorder&) = delete;
  ActivityRecorder& operator=(const ActivityRecorder&) = delete;

  // Forgets what was recorded so far. The device is idle.
  absl::Status Begin();
  // What happened since Begin. The device is idle.
  absl::StatusOr<worker::v1::GpuRecordsResponse> End();

  // Stops recording, as a RangeProfiler needs, and goes on.
  absl::Status Pause();
  absl::Status Resume();

 private:
  // Memory that CUPTI fills with records. Zeroed when it is handed out, as CUPTI is told to expect.
  struct Buffer {
    std::unique_ptr<uint8_t[]> bytes;
    size_t filled_bytes = 0;
  };

  explicit ActivityRecorder(const CuptiLibrary* library) : library_(library) {}

  static void CUPTIAPI OnRequest(uint8_t** buffer, size_t* size, size_t* max_record_count);
  static void CUPTIAPI OnComplete(CUcontext context, uint32_t stream, uint8_t* buffer, size_t size, size_t filled);

  absl::Status SetUp();
  uint8_t* HandOut();
  void TakeBack(uint8_t* bytes, size_t filled);
  // All records that there are, as filled buffers.
  absl::StatusOr<std::vector<Buffer>> Flush();
  void Recycle(std::vector<Buffer> buffers);
  absl::StatusOr<int64_t> TakeDroppedCount();

  const CuptiLibrary* const library_;
  absl::Mutex mutex_;
  std::vector<Buffer> free_ ABSL_GUARDED_BY(mutex_);
  std::vector<Buffer> handed_out_ ABSL_GUARDED_BY(mutex_);
  std::vector<Buffer> filled_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_CUPTI_ACTIVITY_RECORDER_H_
