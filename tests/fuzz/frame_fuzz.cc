// A hostile peer on a FrameChannel: any bytes, written in any pieces, with or without descriptors. Receiving them must
// end with a frame no longer than allowed, or with a status; never with a crash, a leak or a wait.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "absl/time/clock.h"
#include "cudaperf/worker/v1/compile.pb.h"
#include "google/protobuf/stubs/logging.h"
#include "sandbox/worker/frame_channel.h"

namespace {

using cudaperf::sandbox::Frame;
using cudaperf::sandbox::FrameChannel;
using cudaperf::sandbox::UniqueFd;

constexpr int64_t kMaxFrameBytes = 1 << 16;

void SendWithDescriptor(int socket, const uint8_t* bytes, size_t size, int descriptor) {
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  iovec part{const_cast<uint8_t*>(bytes), size};
  msghdr packet{};
  packet.msg_iov = &part;
  packet.msg_iovlen = 1;
  packet.msg_control = control;
  packet.msg_controllen = sizeof(control);
  cmsghdr* rights = CMSG_FIRSTHDR(&packet);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(rights), &descriptor, sizeof(int));
  sendmsg(socket, &packet, MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  if (size < 2 || size > (1 << 15)) return 0;
  const google::protobuf::LogSilencer no_log_of_bad_text;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return 0;
  UniqueFd peer(ends[0]);
  FrameChannel channel(UniqueFd(ends[1]), kMaxFrameBytes);
  // First byte: which piece carries a descriptor; second: where the pieces are cut.
  const size_t piece = 1 + bytes[1];
  size_t number = 0;
  for (size_t at = 2; at < size; at += piece, ++number) {
    const size_t count = std::min(piece, size - at);
    if (number == bytes[0]) {
      SendWithDescriptor(peer.get(), bytes + at, count, STDERR_FILENO);
    } else {
      send(peer.get(), bytes + at, count, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
  }
  peer.Reset();
  while (true) {
    absl::StatusOr<Frame> frame = channel.Receive(absl::Now() + absl::Seconds(5));
    if (!frame.ok()) {
      // The peer is gone, so nothing is left to wait for.
      if (absl::IsDeadlineExceeded(frame.status())) abort();
      return 0;
    }
    if (static_cast<int64_t>(frame->bytes.size()) > kMaxFrameBytes) abort();
    cudaperf::worker::v1::CompileRequest request;
    if (request.ParseFromString(frame->bytes)) request.ByteSizeLong();
  }
}
