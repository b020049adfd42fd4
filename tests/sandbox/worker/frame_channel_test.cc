#include "sandbox/worker/frame_channel.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <utility>

#include "absl/time/clock.h"
#include "cudaperf/worker/v1/compile.pb.h"
#include "gtest/gtest.h"

namespace cudaperf::sandbox {
namespace {

using worker::v1::CompileRequest;

// A channel, and the other end as a plain socket.
struct Link {
  FrameChannel channel;
  UniqueFd peer;
};

Link MakeLink(int64_t max_frame_bytes = FrameChannel::kMaxFrameBytes) {
  int ends[2];
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  return {FrameChannel(UniqueFd(ends[0]), max_frame_bytes), UniqueFd(ends[1])};
}

// A header as it travels: length, then number of descriptors.
std::string Header(uint32_t size, uint32_t fd_count) {
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &size, 4);
  std::memcpy(bytes.data() + 4, &fd_count, 4);
  return bytes;
}

void Write(const UniqueFd& peer, const std::string& bytes) {
  ASSERT_EQ(write(peer.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
}

int OpenDescriptorCount() {
  int count = 0;
  DIR* folder = opendir("/proc/self/fd");
  while (readdir(folder) != nullptr) ++count;
  closedir(folder);
  return count;
}

absl::Time Soon() { return absl::Now() + absl::Seconds(10); }

TEST(FrameChannelTest, MessageArrives) {
  auto ends = FrameChannel::CreatePair();
  ASSERT_TRUE(ends.ok());
  CompileRequest request;
  request.set_source("x");
  ASSERT_TRUE(ends->first.Send(request).ok());
  absl::StatusOr<CompileRequest> received = ends->second.ReceiveMessage<CompileRequest>(Soon());
  ASSERT_TRUE(received.ok()) << received.status();
  EXPECT_EQ(received->source(), "x");
}

TEST(FrameChannelTest, MessageLargerThanTheSocketArrives) {
  auto ends = FrameChannel::CreatePair();
  CompileRequest request;
  request.set_source(std::string(20 << 20, 'x'));
  std::thread sender([&] { EXPECT_TRUE(ends->first.Send(request, {}, Soon()).ok()); });
  absl::StatusOr<CompileRequest> received = ends->second.ReceiveMessage<CompileRequest>(Soon());
  sender.join();
  ASSERT_TRUE(received.ok()) << received.status();
  EXPECT_EQ(received->source().size(), size_t{20} << 20);
}

TEST(FrameChannelTest, DescriptorsArriveCloseOnExec) {
  auto ends = FrameChannel::CreatePair();
  UniqueFd file(open("/dev/null", O_RDONLY | O_CLOEXEC));
  ASSERT_TRUE(ends->first.Send(CompileRequest(), {file.get(), file.get()}).ok());
  absl::StatusOr<Frame> frame = ends->second.Receive(Soon());
  ASSERT_TRUE(frame.ok());
  ASSERT_EQ(frame->fds.size(), 2u);
  struct stat ours;
  struct stat theirs;
  ASSERT_EQ(fstat(file.get(), &ours), 0);
  ASSERT_EQ(fstat(frame->fds[1].get(), &theirs), 0);
  EXPECT_EQ(ours.st_ino, theirs.st_ino);
  EXPECT_NE(fcntl(frame->fds[0].get(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST(FrameChannelTest, ClosedPeerIsUnavailable) {
  Link link = MakeLink();
  link.peer.Reset();
  EXPECT_TRUE(absl::IsUnavailable(link.channel.Receive(Soon()).status()));
  EXPECT_TRUE(absl::IsUnavailable(link.channel.Send(CompileRequest())));
}

TEST(FrameChannelTest, PeerThatClosesInTheMiddleIsUnavailable) {
  Link link = MakeLink();
  Write(link.peer, Header(100, 0) + "only this");
  link.peer.Reset();
  EXPECT_TRUE(absl::IsUnavailable(link.channel.Receive(Soon()).status()));
}

TEST(FrameChannelTest, SilentPeerMeetsTheDeadline) {
  Link link = MakeLink();
  EXPECT_TRUE(absl::IsDeadlineExceeded(link.channel.Receive(absl::Now() + absl::Milliseconds(5)).status()));
}

TEST(FrameChannelTest, PeerThatDoesNotReadMeetsTheDeadline) {
  Link link = MakeLink();
  CompileRequest request;
  request.set_source(std::string(20 << 20, 'x'));
  EXPECT_TRUE(absl::IsDeadlineExceeded(link.channel.Send(request, {}, absl::Now() + absl::Milliseconds(20))));
}

TEST(FrameChannelTest, AnnouncedLengthOverTheLimitIsRefused) {
  Link link = MakeLink(1000);
  Write(link.peer, Header(1001, 0));
  EXPECT_TRUE(absl::IsDataLoss(link.channel.Receive(Soon()).status()));
}

TEST(FrameChannelTest, OwnMessageOverTheLimitIsNotSent) {
  Link link = MakeLink(1000);
  CompileRequest request;
  request.set_source(std::string(2000, 'x'));
  EXPECT_TRUE(absl::IsResourceExhausted(link.channel.Send(request)));
}

TEST(FrameChannelTest, DescriptorsThatWereAnnouncedButDidNotComeAreRefused) {
  Link link = MakeLink();
  Write(link.peer, Header(0, 1));
  EXPECT_TRUE(absl::IsDataLoss(link.channel.Receive(Soon()).status()));
}

TEST(FrameChannelTest, UnannouncedDescriptorsAreRefusedAndClosed) {
  Link link = MakeLink();
  FrameChannel sender(std::move(link.peer));
  UniqueFd file(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const int before = OpenDescriptorCount();
  ASSERT_TRUE(sender.Send(CompileRequest(), {file.get()}).ok());
  EXPECT_TRUE(link.channel.ReceiveMessage<CompileRequest>(Soon()).ok());
  EXPECT_EQ(OpenDescriptorCount(), before);
}

TEST(FrameChannelTest, FloodOfDescriptorsIsRefusedAndClosed) {
  Link link = MakeLink();
  UniqueFd file(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const int before = OpenDescriptorCount();
  // One descriptor with each byte of the body: more than any frame may carry.
  Write(link.peer, Header(200, 0));
  for (int i = 0; i < 200; ++i) {
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    char byte = 'x';
    iovec part{&byte, 1};
    msghdr packet{};
    packet.msg_iov = &part;
    packet.msg_iovlen = 1;
    packet.msg_control = control;
    packet.msg_controllen = sizeof(control);
    cmsghdr* rights = CMSG_FIRSTHDR(&packet);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    const int fd = file.get();
    std::memcpy(CMSG_DATA(rights), &fd, sizeof(int));
    ASSERT_EQ(sendmsg(link.peer.get(), &packet, MSG_NOSIGNAL), 1);
  }
  EXPECT_TRUE(absl::IsDataLoss(link.channel.Receive(Soon()).status()));
  EXPECT_EQ(OpenDescriptorCount(), before);
}

TEST(FrameChannelTest, BytesThatAreNoMessageAreDataLoss) {
  Link link = MakeLink();
  Write(link.peer, Header(3, 0) + "\xff\xff\xff");
  EXPECT_TRUE(absl::IsDataLoss(link.channel.ReceiveMessage<CompileRequest>(Soon()).status()));
}

}  // namespace
}  // namespace cudaperf::sandbox
