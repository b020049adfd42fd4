#ifndef CUDAPERF_SANDBOX_WORKER_FRAME_CHANNEL_H_
#define CUDAPERF_SANDBOX_WORKER_FRAME_CHANNEL_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "google/protobuf/message_lite.h"
#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {

// One message and the descriptors that came with it.
struct Frame {
  std::string bytes;
  std::vector<UniqueFd> fds;
};

// Carries messages between two processes over a Unix stream socket. A frame is its length (4 bytes, little endian), the
// number of descriptors (4 bytes), then the serialised message; descriptors ride as SCM_RIGHTS on the header. The peer may
// be hostile: every length is checked before memory is taken, and a peer that breaks the format ends the channel.
//
// Not thread-safe; one call at a time. Blocks.
class FrameChannel {
 public:
  static constexpr int64_t kMaxFrameBytes = int64_t{1} << 30;
  static constexpr int kMaxDescriptors = 64;

  // Both ends of a new channel, close-on-exec.
  static absl::StatusOr<std::pair<FrameChannel, FrameChannel>> CreatePair();

  explicit FrameChannel(UniqueFd socket, int64_t max_frame_bytes = kMaxFrameBytes);

  // UNAVAILABLE when the peer is gone, DEADLINE_EXCEEDED when it does not take the bytes in time.
  absl::Status Send(const google::protobuf::MessageLite& message, absl::Span<const int> fds = {},
                    absl::Time deadline = absl::InfiniteFuture());

  // UNAVAILABLE when the peer closed, DEADLINE_EXCEEDED at the deadline, DATA_LOSS when the peer broke the format.
  absl::StatusOr<Frame> Receive(absl::Time deadline = absl::InfiniteFuture());

  // Receives and parses; descriptors that came along are dropped. DATA_LOSS when it does not parse.
  template <typename Message>
  absl::StatusOr<Message> ReceiveMessage(absl::Time deadline = absl::InfiniteFuture()) {
    absl::StatusOr<Frame> frame = Receive(deadline);
    if (!frame.ok()) return frame.status();
    Message message;
    if (!message.ParseFromString(frame->bytes)) return absl::DataLossError("peer sent a frame that does not parse");
    return message;
  }

  int fd() const { return socket_.get(); }
  UniqueFd ReleaseSocket() { return std::move(socket_); }

 private:
  absl::Status ReadExactly(char* into, size_t size, absl::Time deadline, std::vector<UniqueFd>* fds);

  UniqueFd socket_;
  int64_t max_frame_bytes_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_WORKER_FRAME_CHANNEL_H_
