#include "sandbox/worker/frame_channel.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace cudaperf::sandbox {
namespace {

constexpr size_t kHeaderBytes = 8;

// Waits until `fd` is ready for `events`.
absl::Status AwaitReady(int fd, short events, absl::Time deadline) {
  while (true) {
    absl::Duration left = deadline - absl::Now();
    if (left <= absl::ZeroDuration() && deadline != absl::InfiniteFuture()) {
      return absl::DeadlineExceededError("worker did not answer in time");
    }
    int64_t wait = deadline == absl::InfiniteFuture() ? -1 : absl::ToInt64Milliseconds(left) + 1;
    pollfd entry{.fd = fd, .events = events, .revents = 0};
    int ready = poll(&entry, 1, static_cast<int>(std::min<int64_t>(wait, 1 << 30)));
    if (ready > 0) return absl::OkStatus();
    if (ready < 0 && errno != EINTR) return absl::ErrnoToStatus(errno, "poll");
  }
}

bool IsGone(int error) { return error == EPIPE || error == ECONNRESET; }

}  // namespace

absl::StatusOr<std::pair<FrameChannel, FrameChannel>> FrameChannel::CreatePair() {
  int fds[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) return absl::ErrnoToStatus(errno, "socketpair");
  return std::make_pair(FrameChannel(UniqueFd(fds[0])), FrameChannel(UniqueFd(fds[1])));
}

FrameChannel::FrameChannel(UniqueFd socket, int64_t max_frame_bytes)
    : socket_(std::move(socket)), max_frame_bytes_(max_frame_bytes) {}

absl::Status FrameChannel::Send(const google::protobuf::MessageLite& message, absl::Span<const int> fds,
                                absl::Time deadline) {
  if (static_cast<int>(fds.size()) > kMaxDescriptors) return absl::InvalidArgumentError("too many descriptors");
  std::string bytes(kHeaderBytes, '\0');
  if (!message.AppendToString(&bytes)) return absl::InternalError("message does not serialise");
  const uint64_t size = bytes.size() - kHeaderBytes;
  if (static_cast<int64_t>(size) > max_frame_bytes_) {
    return absl::ResourceExhaustedError(absl::StrCat("frame of ", size, " bytes is over ", max_frame_bytes_));
  }
  const uint32_t header[2] = {static_cast<uint32_t>(size), static_cast<uint32_t>(fds.size())};
  std::memcpy(bytes.data(), header, sizeof(header));

  size_t sent = 0;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMaxDescriptors)> control{};
  while (sent < bytes.size()) {
    iovec part{bytes.data() + sent, bytes.size() - sent};
    msghdr packet{};
    packet.msg_iov = &part;
    packet.msg_iovlen = 1;
    if (sent == 0 && !fds.empty()) {
      packet.msg_control = control.data();
      packet.msg_controllen = CMSG_SPACE(sizeof(int) * fds.size());
      cmsghdr* rights = CMSG_FIRSTHDR(&packet);
      rights->cmsg_level = SOL_SOCKET;
      rights->cmsg_type = SCM_RIGHTS;
      rights->cmsg_len = CMSG_LEN(sizeof(int) * fds.size());
      std::memcpy(CMSG_DATA(rights), fds.data(), sizeof(int) * fds.size());
    }
    ssize_t count = sendmsg(socket_.get(), &packet, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) {
      sent += count;
    } else if (errno == EAGAIN) {
      if (absl::Status ready = AwaitReady(socket_.get(), POLLOUT, deadline); !ready.ok()) return ready;
    } else if (IsGone(errno)) {
      return absl::UnavailableError("worker is gone");
    } else if (errno != EINTR) {
      return absl::ErrnoToStatus(errno, "sendmsg");
    }
  }
  return absl::OkStatus();
}

absl::Status FrameChannel::ReadExactly(char* into, size_t size, absl::Time deadline, std::vector<UniqueFd>* fds) {
  size_t received = 0;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMaxDescriptors)> control;
  while (received < size) {
    iovec part{into + received, size - received};
    msghdr packet{};
    packet.msg_iov = &part;
    packet.msg_iovlen = 1;
    packet.msg_control = control.data();
    packet.msg_controllen = control.size();
    ssize_t count = recvmsg(socket_.get(), &packet, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (count < 0 && errno == EAGAIN) {
      if (absl::Status ready = AwaitReady(socket_.get(), POLLIN, deadline); !ready.ok()) return ready;
      continue;
    }
    if (count < 0 && errno == EINTR) continue;
    if (count == 0 || (count < 0 && IsGone(errno))) return absl::UnavailableError("worker is gone");
    if (count < 0) return absl::ErrnoToStatus(errno, "recvmsg");
    received += count;
    for (cmsghdr* entry = CMSG_FIRSTHDR(&packet); entry != nullptr; entry = CMSG_NXTHDR(&packet, entry)) {
      if (entry->cmsg_level != SOL_SOCKET || entry->cmsg_type != SCM_RIGHTS) continue;
      const size_t count_fds = (entry->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      for (size_t i = 0; i < count_fds; ++i) {
        int fd;
        std::memcpy(&fd, CMSG_DATA(entry) + i * sizeof(int), sizeof(int));
        fds->emplace_back(fd);
      }
    }
    if (fds->size() > kMaxDescriptors) return absl::DataLossError("peer sent too many descriptors");
  }
  return absl::OkStatus();
}

absl::StatusOr<Frame> FrameChannel::Receive(absl::Time deadline) {
  Frame frame;
  uint32_t header[2];
  absl::Status status = ReadExactly(reinterpret_cast<char*>(header), sizeof(header), deadline, &frame.fds);
  if (!status.ok()) return status;
  if (header[0] > max_frame_bytes_) {
    return absl::DataLossError(absl::StrCat("peer announced a frame of ", header[0], " bytes, limit ", max_frame_bytes_));
  }
  // Grown as bytes arrive: an announced length alone takes no memory.
  constexpr size_t kStep = size_t{1} << 20;
  while (frame.bytes.size() < header[0]) {
    const size_t old_size = frame.bytes.size();
    const size_t step = std::min(kStep, header[0] - old_size);
    frame.bytes.resize(old_size + step);
    status = ReadExactly(frame.bytes.data() + old_size, step, deadline, &frame.fds);
    if (!status.ok()) return status;
  }
  if (frame.fds.size() != header[1]) return absl::DataLossError("peer sent another number of descriptors than announced");
  return frame;
}

}  // namespace cudaperf::sandbox
