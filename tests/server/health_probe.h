#ifndef CUDAPERF_TESTS_SERVER_HEALTH_PROBE_H_
#define CUDAPERF_TESTS_SERVER_HEALTH_PROBE_H_

#include <memory>
#include <string>

#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/grpcpp.h"

namespace cudaperf::server {

// What the standard health service says: `SERVING`, `NOT_SERVING`, or the call's error code in figures. The service's
// proto is not among the packages, so its two one-field messages are written by hand.
inline std::string ProbeHealth(const std::shared_ptr<grpc::Channel>& channel, const std::string& service = "") {
  std::string request = service.empty() ? "" : std::string("\x0a") + static_cast<char>(service.size()) + service;
  const grpc::Slice slice(request);
  const grpc::ByteBuffer bytes(&slice, 1);
  grpc::GenericStub stub(channel);
  grpc::ClientContext context;
  grpc::CompletionQueue queue;
  auto call = stub.PrepareUnaryCall(&context, "/grpc.health.v1.Health/Check", bytes, &queue);
  call->StartCall();
  grpc::ByteBuffer answer;
  grpc::Status status;
  call->Finish(&answer, &status, &queue);
  void* tag = nullptr;
  bool ok = false;
  queue.Next(&tag, &ok);
  if (!status.ok()) return std::to_string(status.error_code());
  grpc::Slice single;
  answer.DumpToSingleSlice(&single);
  const std::string text(reinterpret_cast<const char*>(single.begin()), single.size());
  return text == "\x08\x01" ? "SERVING" : "NOT_SERVING";
}

}  // namespace cudaperf::server

#endif  // CUDAPERF_TESTS_SERVER_HEALTH_PROBE_H_
