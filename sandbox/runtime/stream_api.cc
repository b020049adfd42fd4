// Streams and events. Work is done when it is submitted, so waiting for it is only asking for the sticky error.
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>

#include "sandbox/runtime/emulated_runtime.h"

// The API's opaque types.
struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
  unsigned long long id = 0;
};

struct CUevent_st {
  unsigned flags = 0;
  bool recorded = false;
  std::chrono::steady_clock::time_point time;
};

namespace cudaperf::sandbox {
namespace {

// Remembers which handles are alive.
template <typename Object>
class HandleTable {
 public:
  Object* Create() {
    std::lock_guard<std::mutex> lock(mutex_);
    return *alive_.insert(new Object()).first;
  }
  bool Contains(Object* object) {
    std::lock_guard<std::mutex> lock(mutex_);
    return alive_.count(object) != 0;
  }
  cudaError_t Destroy(Object* object) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (alive_.erase(object) == 0) return cudaErrorInvalidResourceHandle;
    delete object;
    return cudaSuccess;
  }

 private:
  std::mutex mutex_;
  std::set<Object*> alive_;
};

HandleTable<CUstream_st>& Streams() {
  static auto* const streams = new HandleTable<CUstream_st>();
  return *streams;
}

HandleTable<CUevent_st>& Events() {
  static auto* const events = new HandleTable<CUevent_st>();
  return *events;
}

bool IsStream(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread || Streams().Contains(stream);
}

cudaError_t CreateStream(cudaStream_t* stream, unsigned flags, int priority) {
  return WithDevice([&](EmulatedRuntime&, DeviceClient&) {
    if (stream == nullptr) return cudaErrorInvalidValue;
    *stream = Streams().Create();
    static std::atomic<unsigned long long> next_id{3};
    **stream = {.flags = flags, .priority = priority, .id = next_id++};
    return cudaSuccess;
  });
}

// Asks for something of a stream; the default streams have the defaults.
template <typename Use>
cudaError_t WithStream(cudaStream_t stream, Use use) {
  return WithDevice([&](EmulatedRuntime& runtime, DeviceClient&) {
    if (!IsStream(stream)) return runtime.Refuse(cudaErrorInvalidResourceHandle, "not a stream");
    const CUstream_st standard;
    return use(Streams().Contains(stream) ? *stream : standard);
  });
}

template <typename Use>
cudaError_t WithEvent(cudaEvent_t event, Use use) {
  return WithDevice([&](EmulatedRuntime& runtime, DeviceClient&) {
    if (!Events().Contains(event)) return runtime.Refuse(cudaErrorInvalidResourceHandle, "not an event");
    return use(*event);
  });
}

}  // namespace
}  // namespace cudaperf::sandbox

using cudaperf::sandbox::CreateStream;
using cudaperf::sandbox::DeviceClient;
using cudaperf::sandbox::EmulatedRuntime;
using cudaperf::sandbox::Events;
using cudaperf::sandbox::Streams;
using cudaperf::sandbox::WithDevice;
using cudaperf::sandbox::WithEvent;
using cudaperf::sandbox::WithStream;

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return CreateStream(stream, cudaStreamDefault, 0); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) { return CreateStream(stream, flags, 0); }

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return CreateStream(stream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return WithDevice([&](EmulatedRuntime&, DeviceClient&) { return Streams().Destroy(stream); });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return WithStream(stream, [](const CUstream_st&) { return cudaSuccess; });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return WithStream(stream, [&](const CUstream_st&) {
    return Events().Contains(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return WithStream(stream, [&](const CUstream_st& found) {
    *flags = found.flags;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return WithStream(stream, [&](const CUstream_st& found) {
    *priority = found.priority;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return WithStream(stream, [&](const CUstream_st& found) {
    *id = found.id;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return WithStream(stream, [&](const CUstream_st&) {
    *status = cudaStreamCaptureStatusNone;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* argument, unsigned) {
  return WithStream(stream, [&](const CUstream_st&) {
    callback(stream, cudaSuccess, argument);
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return WithDevice([&](EmulatedRuntime&, DeviceClient&) {
    if (event == nullptr) return cudaErrorInvalidValue;
    *event = Events().Create();
    (*event)->flags = flags;
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return WithDevice([&](EmulatedRuntime&, DeviceClient&) { return Events().Destroy(event); });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  return WithEvent(event, [](CUevent_st& found) {
    found.recorded = true;
    found.time = std::chrono::steady_clock::now();
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return WithEvent(event, [](CUevent_st&) { return cudaSuccess; });
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return WithEvent(start, [&](CUevent_st& first) {
    if (milliseconds == nullptr) return cudaErrorInvalidValue;
    if (!Events().Contains(end)) return cudaErrorInvalidResourceHandle;
    const unsigned untimed = (first.flags | end->flags) & cudaEventDisableTiming;
    if (!first.recorded || !end->recorded || untimed != 0) return cudaErrorInvalidResourceHandle;
    *milliseconds = std::chrono::duration<float, std::milli>(end->time - first.time).count();
    return cudaSuccess;
  });
}

}  // extern "C"
