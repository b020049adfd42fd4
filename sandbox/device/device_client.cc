#include "sandbox/device/device_client.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"

namespace cudaperf::sandbox {
namespace {

using worker::v1::CopyRequest;
using worker::v1::DeviceError;
using worker::v1::DeviceRequest;
using worker::v1::DeviceResponse;

absl::Status OutOfStep(const char* expected) {
  return absl::DataLossError(absl::StrCat("device answered something else than ", expected));
}

// Whether the response is what the request asks for.
bool Answers(const DeviceRequest& request, const DeviceResponse& response) {
  if (request.has_configure() || request.has_detach_buffer())
    return response.kind_case() == DeviceResponse::KIND_NOT_SET;
  // A request and its response have the same number.
  return static_cast<int>(response.kind_case()) == static_cast<int>(request.kind_case());
}

}  // namespace

DeviceClient::DeviceClient(FrameChannel channel) : channel_(std::move(channel)) {}

absl::StatusOr<DeviceResponse> DeviceClient::Call(const DeviceRequest& request, absl::Span<const int> fds,
                                                  absl::Time deadline) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!broken_.ok()) return broken_;
  if (absl::Status sent = channel_.Send(request, fds, deadline); !sent.ok()) return broken_ = sent;
  absl::StatusOr<DeviceResponse> response = channel_.ReceiveMessage<DeviceResponse>(deadline);
  if (!response.ok()) return broken_ = response.status();
  if (!response->refusal().empty()) return absl::FailedPreconditionError(response->refusal());
  if (!Answers(request, *response)) return broken_ = OutOfStep("what was asked");
  return response;
}

absl::Status DeviceClient::Configure(const worker::v1::ConfigureRequest& request, absl::Time deadline) {
  DeviceRequest call;
  *call.mutable_configure() = request;
  return Call(call, {}, deadline).status();
}

absl::StatusOr<uint64_t> DeviceClient::AttachBuffer(const worker::v1::AttachBufferRequest& request, int memory,
                                                    absl::Time deadline) {
  DeviceRequest call;
  *call.mutable_attach_buffer() = request;
  absl::StatusOr<DeviceResponse> response = Call(call, {memory}, deadline);
  if (!response.ok()) return response.status();
  return response->attach_buffer().address();
}

absl::Status DeviceClient::DetachBuffer(uint64_t address, absl::Time deadline) {
  DeviceRequest call;
  call.mutable_detach_buffer()->set_address(address);
  return Call(call, {}, deadline).status();
}

absl::StatusOr<worker::v1::CollectResponse> DeviceClient::Collect(const worker::v1::CollectRequest& request,
                                                                  absl::Time deadline) {
  DeviceRequest call;
  *call.mutable_collect() = request;
  absl::StatusOr<DeviceResponse> response = Call(call, {}, deadline);
  if (!response.ok()) return response.status();
  return std::move(*response->mutable_collect());
}

absl::StatusOr<worker::v1::LoadModuleResponse> DeviceClient::LoadModule(std::string ptx, absl::Time deadline) {
  DeviceRequest call;
  call.mutable_load_module()->set_ptx(std::move(ptx));
  absl::StatusOr<DeviceResponse> response = Call(call, {}, deadline);
  if (!response.ok()) return response.status();
  return std::move(*response->mutable_load_module());
}

absl::StatusOr<worker::v1::LaunchResponse> DeviceClient::Launch(const worker::v1::LaunchRequest& request,
                                                                absl::Time deadline) {
  DeviceRequest call;
  *call.mutable_launch() = request;
  absl::StatusOr<DeviceResponse> response = Call(call, {}, deadline);
  if (!response.ok()) return response.status();
  return std::move(*response->mutable_launch());
}

absl::StatusOr<worker::v1::AllocateResponse> DeviceClient::Allocate(int64_t size_bytes, absl::Time deadline) {
  DeviceRequest call;
  call.mutable_allocate()->set_size_bytes(size_bytes);
  absl::StatusOr<DeviceResponse> response = Call(call, {}, deadline);
  if (!response.ok()) return response.status();
  return response->allocate();
}

absl::StatusOr<DeviceError> DeviceClient::Free(uint64_t address, absl::Time deadline) {
  DeviceRequest call;
  call.mutable_free()->set_address(address);
  absl::StatusOr<DeviceResponse> response = Call(call, {}, deadline);
  if (!response.ok()) return response.status();
  return response->free().error();
}

absl::StatusOr<DeviceError> DeviceClient::CopyToDevice(uint64_t destination, const void* source, int64_t size_bytes,
                                                       absl::Time deadline) {
  int64_t done = 0;
  do {
    DeviceRequest call;
    CopyRequest* copy = call.mutable_copy();
    const int64_t piece = std::min(kMaxPieceBytes, size_bytes - done);
    copy->set_kind(CopyRequest::KIND_HOST_TO_DEVICE);
    copy->set_destination(destination + done);
    copy->set_size_bytes(piece);
    copy->set_content(static_cast<const char*>(source) + done, piece);
    copy->set_continues(done > 0);
    absl::StatusOr<DeviceResponse> response = Call(call, {}, deadline);
    if (!response.ok()) return response.status();
    if (response->copy().error() != worker::v1::DEVICE_ERROR_NONE) return response->copy().error();
    done += piece;
  } while (done < size_bytes);
  return worker::v1::DEVICE_ERROR_NONE;
}

absl::StatusOr<DeviceError> DeviceClient::CopyFromDevice(void* destination, uint64_t source, int64_t size_bytes,
                                                         absl::Time deadline) {
  int64_t done = 0;
  do {
    DeviceRequest call;
    CopyRequest* copy = call.mutable_copy();
    const int64_t piece = std::min(kMaxPieceBytes, size_bytes - done);
    copy->set_kind(CopyRequest::KIND_DEVICE_TO_HOST);
    copy->set_source(source + done);
    copy->set_size_bytes(piece);
    copy->set_continues(done > 0);
    absl::StatusOr<DeviceResponse> response = Call(call, {}, deadline);
    if (!response.ok()) return response.status();
    if (response->copy().error() != worker::v1::DEVICE_ERROR_NONE) return response->copy().error();
    if (static_cast<int64_t>(response->copy().content().size()) != piece) return OutOfStep("the bytes asked for");
    std::memcpy(static_cast<char*>(destination) + done, response->copy().content().data(), piece);
    done += piece;
  } while (done < size_bytes);
  return worker::v1::DEVICE_ERROR_NONE;
}

absl::StatusOr<DeviceError> DeviceClient::CopyOnDevice(uint64_t destination, uint64_t source, int64_t size_bytes,
                                                       absl::Time deadline) {
  DeviceRequest call;
  CopyRequest* copy = call.mutable_copy();
  copy->set_kind(CopyRequest::KIND_DEVICE_TO_DEVICE);
  copy->set_destination(destination);
  copy->set_source(source);
  copy->set_size_bytes(size_bytes);
  absl::StatusOr<DeviceResponse> response = Call(call, {}, deadline);
  if (!response.ok()) return response.status();
  return response->copy().error();
}

absl::StatusOr<DeviceError> DeviceClient::Fill(uint64_t address, int value, int64_t size_bytes, bool continues,
                                               absl::Time deadline) {
  DeviceRequest call;
  call.mutable_fill()->set_address(address);
  call.mutable_fill()->set_value(value);
  call.mutable_fill()->set_size_bytes(size_bytes);
  call.mutable_fill()->set_continues(continues);
  absl::StatusOr<DeviceResponse> response = Call(call, {}, deadline);
  if (!response.ok()) return response.status();
  return response->fill().error();
}

}  // namespace cudaperf::sandbox
