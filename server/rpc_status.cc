#include "server/rpc_status.h"

#include <string>

#include "absl/strings/string_view.h"
#include "google/protobuf/any.pb.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/wire_format_lite.h"
#include "proto/duration.h"

namespace cudaperf::server {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedOutputStream;

// google/rpc/*.proto is not part of protobuf's packages: its three small messages are written field by field.
class MessageWriter {
 public:
  void Bytes(int field, const std::string& value) { WireFormatLite::WriteBytes(field, value, &coded_); }
  void Int(int field, int value) { WireFormatLite::WriteInt32(field, value, &coded_); }
  std::string Take() {
    coded_.Trim();
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
  google::protobuf::io::StringOutputStream stream_{&bytes_};
  CodedOutputStream coded_{&stream_};
};

// google.rpc.Status{code, message, details: [Any{type, value}]}.
std::string EncodeStatus(const absl::Status& status, absl::string_view type, const std::string& value) {
  google::protobuf::Any detail;
  detail.set_type_url("type.googleapis.com/google.rpc." + std::string(type));
  detail.set_value(value);
  MessageWriter writer;
  writer.Int(1, static_cast<int>(status.code()));
  writer.Bytes(2, std::string(status.message()));
  writer.Bytes(3, detail.SerializeAsString());
  return writer.Take();
}

grpc::Status WithCode(grpc::StatusCode code, const absl::Status& status, const std::string& details = "") {
  return grpc::Status(code, std::string(status.message()), details);
}

// google.rpc.BadRequest{field_violations: [{field, description}]}.
std::string EncodeBadRequest(const absl::Status& status) {
  const absl::string_view message = status.message();
  const size_t colon = message.find(": ");
  if (colon == absl::string_view::npos || message.substr(0, colon).find(' ') != absl::string_view::npos) return "";
  MessageWriter violation;
  violation.Bytes(1, std::string(message.substr(0, colon)));
  violation.Bytes(2, std::string(message.substr(colon + 2)));
  MessageWriter request;
  request.Bytes(1, violation.Take());
  return EncodeStatus(status, "BadRequest", request.Take());
}

}  // namespace

grpc::Status ToRpcStatus(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return grpc::Status::OK;
    case absl::StatusCode::kInvalidArgument:
      return WithCode(grpc::StatusCode::INVALID_ARGUMENT, status, EncodeBadRequest(status));
    case absl::StatusCode::kCancelled:
    case absl::StatusCode::kDeadlineExceeded:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kResourceExhausted:
    case absl::StatusCode::kUnavailable:
      return WithCode(static_cast<grpc::StatusCode>(status.raw_code()), status);
    default:
      return WithCode(grpc::StatusCode::INTERNAL, status);
  }
}

grpc::Status QueueFullStatus(const absl::Status& status, absl::Duration retry_delay) {
  MessageWriter retry_info;
  retry_info.Bytes(1, proto::ToProto(retry_delay).SerializeAsString());
  return WithCode(grpc::StatusCode::RESOURCE_EXHAUSTED, status, EncodeStatus(status, "RetryInfo", retry_info.Take()));
}

}  // namespace cudaperf::server
