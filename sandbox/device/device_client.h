#ifndef CUDAPERF_SANDBOX_DEVICE_DEVICE_CLIENT_H_
#define CUDAPERF_SANDBOX_DEVICE_DEVICE_CLIENT_H_

#include <cstdint>
#include <mutex>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "cudaperf/worker/v1/device.pb.h"
#include "sandbox/worker/frame_channel.h"

namespace cudaperf::sandbox {

// Speaks to an emulated device over one of its channels: the judge over the control channel, the emulated CUDA runtime
// over the command channel. What the device says about the program is in the responses; a non-OK status means that the
// device is gone, late, broke the protocol, or refused the request (FAILED_PRECONDITION). After one that leaves the
// channel out of step, every later call returns it again.
//
// Thread-safe: calls wait for each other.
class DeviceClient {
 public:
  // Copies longer than this travel in pieces.
  static constexpr int64_t kMaxPieceBytes = int64_t{16} << 20;

  explicit DeviceClient(FrameChannel channel);

  absl::Status Configure(const worker::v1::ConfigureRequest& request, absl::Time deadline = absl::InfiniteFuture());

  // Returns the device address. `memory` is a memfd of at least `size_bytes`, sealed against shrinking; borrowed.
  absl::StatusOr<uint64_t> AttachBuffer(const worker::v1::AttachBufferRequest& request, int memory,
                                        absl::Time deadline = absl::InfiniteFuture());

  // Address 0: all buffers.
  absl::Status DetachBuffer(uint64_t address, absl::Time deadline = absl::InfiniteFuture());

  absl::StatusOr<worker::v1::CollectResponse> Collect(const worker::v1::CollectRequest& request,
                                                      absl::Time deadline = absl::InfiniteFuture());

  absl::StatusOr<worker::v1::LoadModuleResponse> LoadModule(std::string ptx,
                                                            absl::Time deadline = absl::InfiniteFuture());

  absl::StatusOr<worker::v1::LaunchResponse> Launch(const worker::v1::LaunchRequest& request,
                                                    absl::Time deadline = absl::InfiniteFuture());

  absl::StatusOr<worker::v1::AllocateResponse> Allocate(int64_t size_bytes,
                                                        absl::Time deadline = absl::InfiniteFuture());

  absl::StatusOr<worker::v1::DeviceError> Free(uint64_t address, absl::Time deadline = absl::InfiniteFuture());

  absl::StatusOr<worker::v1::DeviceError> CopyToDevice(uint64_t destination, const void* source, int64_t size_bytes,
                                                       absl::Time deadline = absl::InfiniteFuture());

  absl::StatusOr<worker::v1::DeviceError> CopyFromDevice(void* destination, uint64_t source, int64_t size_bytes,
                                                         absl::Time deadline = absl::InfiniteFuture());

  absl::StatusOr<worker::v1::DeviceError> CopyOnDevice(uint64_t destination, uint64_t source, int64_t size_bytes,
                                                       absl::Time deadline = absl::InfiniteFuture());

  // `continues`: a further row of the fill before it.
  absl::StatusOr<worker::v1::DeviceError> Fill(uint64_t address, int value, int64_t size_bytes, bool continues,
                                               absl::Time deadline = absl::InfiniteFuture());

  // Any request. The response is of the request's kind.
  absl::StatusOr<worker::v1::DeviceResponse> Call(const worker::v1::DeviceRequest& request,
                                                  absl::Span<const int> fds = {},
                                                  absl::Time deadline = absl::InfiniteFuture());

 private:
  std::mutex mutex_;
  FrameChannel channel_ ABSL_GUARDED_BY(mutex_);
  absl::Status broken_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_DEVICE_DEVICE_CLIENT_H_
