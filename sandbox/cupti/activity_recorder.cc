#include "sandbox/cupti/activity_recorder.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

namespace cudaperf::sandbox {
namespace {

using worker::v1::GpuActivity;
using worker::v1::GpuRecordsResponse;

// Room for about a thousand kernels each.
constexpr size_t kBufferBytes = 256 << 10;
// Bounds the memory that a program of a million launches takes; records beyond it are counted as dropped.
constexpr size_t kMostBuffers = 64;
constexpr size_t kBuffersAhead = 4;

constexpr CUpti_ActivityKind kKinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                                         CUPTI_ACTIVITY_KIND_MEMSET};

// CUPTI's callbacks carry no pointer of ours, so there is this one global.
std::atomic<ActivityRecorder*> the_recorder = nullptr;

GpuActivity::Kind CopyKind(uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
      return GpuActivity::KIND_COPY_HOST_TO_DEVICE;
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
      return GpuActivity::KIND_COPY_DEVICE_TO_HOST;
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
      return GpuActivity::KIND_COPY_DEVICE_TO_DEVICE;
    default:
      return GpuActivity::KIND_COPY_OTHER;
  }
}

template <typename Record>
void SetPlace(const Record& record, GpuActivity* activity) {
  activity->set_start_ns(static_cast<int64_t>(record.start));
  activity->set_end_ns(static_cast<int64_t>(record.end));
  activity->set_stream(record.streamId);
}

void SetKernel(const CUpti_ActivityKernel10& record, GpuActivity* activity) {
  SetPlace(record, activity);
  activity->set_kind(GpuActivity::KIND_KERNEL);
  if (record.name != nullptr) activity->set_kernel(record.name);
  for (int32_t size : {record.gridX, record.gridY, record.gridZ}) activity->add_grid(size);
  for (int32_t size : {record.blockX, record.blockY, record.blockZ}) activity->add_block(size);
  activity->set_dynamic_shared_bytes(record.dynamicSharedMemory);
  activity->set_static_shared_bytes(record.staticSharedMemory);
  activity->set_register_count(record.registersPerThread);
}

void AddRecord(const CUpti_Activity& record, GpuRecordsResponse* response) {
  switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      SetKernel(reinterpret_cast<const CUpti_ActivityKernel10&>(record), response->add_activities());
      break;
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      const auto& copy = reinterpret_cast<const CUpti_ActivityMemcpy6&>(record);
      GpuActivity* activity = response->add_activities();
      SetPlace(copy, activity);
      activity->set_kind(CopyKind(copy.copyKind));
      activity->set_size_bytes(static_cast<int64_t>(copy.bytes));
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
      const auto& fill = reinterpret_cast<const CUpti_ActivityMemset4&>(record);
      GpuActivity* activity = response->add_activities();
      SetPlace(fill, activity);
      activity->set_kind(GpuActivity::KIND_FILL);
      activity->set_size_bytes(static_cast<int64_t>(fill.bytes));
      break;
    }
    default:
      break;
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<ActivityRecorder>> ActivityRecorder::Start(const CuptiLibrary* library) {
  std::unique_ptr<ActivityRecorder> recorder(new ActivityRecorder(library));
  ActivityRecorder* none = nullptr;
  if (!the_recorder.compare_exchange_strong(none, recorder.get())) {
    return absl::FailedPreconditionError("this process records activities already");
  }
  if (absl::Status status = recorder->SetUp(); !status.ok()) return status;
  if (absl::Status status = recorder->Resume(); !status.ok()) return status;
  return recorder;
}

ActivityRecorder::~ActivityRecorder() {
  if (the_recorder.load() != this) return;
  for (CUpti_ActivityKind kind : kKinds) library_->ActivityDisable(kind);
  library_->ActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  the_recorder.store(nullptr);
  absl::MutexLock lock(&mutex_);
  // CUPTI may still write into what it has not given back.
  for (Buffer& buffer : handed_out_) buffer.bytes.release();
}

absl::Status ActivityRecorder::SetUp() {
  std::vector<Buffer> ahead(kBuffersAhead);
  for (Buffer& buffer : ahead) buffer.bytes = std::make_unique<uint8_t[]>(kBufferBytes);
  Recycle(std::move(ahead));
  // Else CUPTI clears each buffer within the call that is being timed.
  uint8_t zeroed = 1;
  size_t size = sizeof(zeroed);
  absl::Status status =
      library_->Check(library_->ActivitySetAttribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &zeroed),
                      "cuptiActivitySetAttribute");
  if (!status.ok()) return status;
  return library_->Check(library_->ActivityRegisterCallbacks(&OnRequest, &OnComplete),
                         "cuptiActivityRegisterCallbacks");
}

void ActivityRecorder::OnRequest(uint8_t** buffer, size_t* size, size_t* max_record_count) {
  ActivityRecorder* recorder = the_recorder.load();
  *buffer = recorder == nullptr ? nullptr : recorder->HandOut();
  *size = *buffer == nullptr ? 0 : kBufferBytes;
  *max_record_count = 0;
}

void ActivityRecorder::OnComplete(CUcontext context, uint32_t stream, uint8_t* buffer, size_t size, size_t filled) {
  ActivityRecorder* recorder = the_recorder.load();
  if (recorder != nullptr) recorder->TakeBack(buffer, filled);
}

uint8_t* ActivityRecorder::HandOut() {
  absl::MutexLock lock(&mutex_);
  if (free_.empty()) {
    if (handed_out_.size() + filled_.size() >= kMostBuffers) return nullptr;
    free_.push_back({std::make_unique<uint8_t[]>(kBufferBytes)});
  }
  handed_out_.push_back(std::move(free_.back()));
  free_.pop_back();
  return handed_out_.back().bytes.get();
}

void ActivityRecorder::TakeBack(uint8_t* bytes, size_t filled) {
  absl::MutexLock lock(&mutex_);
  const auto it = std::find_if(handed_out_.begin(), handed_out_.end(),
                               [bytes](const Buffer& buffer) { return buffer.bytes.get() == bytes; });
  if (it == handed_out_.end()) return;
  it->filled_bytes = filled;
  filled_.push_back(std::move(*it));
  handed_out_.erase(it);
}

absl::StatusOr<std::vector<ActivityRecorder::Buffer>> ActivityRecorder::Flush() {
  const absl::Status status = library_->Check(library_->ActivityFlushAll(0), "cuptiActivityFlushAll");
  if (!status.ok()) return status;
  absl::MutexLock lock(&mutex_);
  return std::exchange(filled_, {});
}

void ActivityRecorder::Recycle(std::vector<Buffer> buffers) {
  for (Buffer& buffer : buffers) std::memset(buffer.bytes.get(), 0, buffer.filled_bytes);
  absl::MutexLock lock(&mutex_);
  for (Buffer& buffer : buffers) {
    buffer.filled_bytes = 0;
    free_.push_back(std::move(buffer));
  }
}

absl::StatusOr<int64_t> ActivityRecorder::TakeDroppedCount() {
  size_t dropped = 0;
  const absl::Status status = library_->Check(library_->ActivityGetNumDroppedRecords(nullptr, 0, &dropped),
                                              "cuptiActivityGetNumDroppedRecords");
  if (!status.ok()) return status;
  return static_cast<int64_t>(dropped);
}

absl::Status ActivityRecorder::Begin() {
  absl::StatusOr<std::vector<Buffer>> buffers = Flush();
  if (!buffers.ok()) return buffers.status();
  Recycle(*std::move(buffers));
  return TakeDroppedCount().status();
}

absl::StatusOr<GpuRecordsResponse> ActivityRecorder::End() {
  absl::StatusOr<std::vector<Buffer>> buffers = Flush();
  if (!buffers.ok()) return buffers.status();
  GpuRecordsResponse response;
  for (const Buffer& buffer : *buffers) {
    CUpti_Activity* record = nullptr;
    while (library_->ActivityGetNextRecord(buffer.bytes.get(), buffer.filled_bytes, &record) == CUPTI_SUCCESS) {
      AddRecord(*record, &response);
    }
  }
  Recycle(*std::move(buffers));
  std::stable_sort(response.mutable_activities()->pointer_begin(), response.mutable_activities()->pointer_end(),
                   [](const GpuActivity* a, const GpuActivity* b) { return a->start_ns() < b->start_ns(); });
  absl::StatusOr<int64_t> dropped = TakeDroppedCount();
  if (!dropped.ok()) return dropped.status();
  response.set_dropped_count(*dropped);
  return response;
}

absl::Status ActivityRecorder::Pause() {
  for (CUpti_ActivityKind kind : kKinds) {
    const absl::Status status = library_->Check(library_->ActivityDisable(kind), "cuptiActivityDisable");
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status ActivityRecorder::Resume() {
  for (CUpti_ActivityKind kind : kKinds) {
    const absl::Status status = library_->Check(library_->ActivityEnable(kind), "cuptiActivityEnable");
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace cudaperf::sandbox
