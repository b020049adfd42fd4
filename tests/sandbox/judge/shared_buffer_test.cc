#include "sandbox/judge/shared_buffer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <string>

namespace cudaperf::sandbox {
namespace {

TEST(SharedBufferTest, OthersSeeWhatIsWritten) {
  absl::StatusOr<SharedBuffer> buffer = SharedBuffer::Create(8, SharedBuffer::Access::kReadWrite);
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  void* theirs = mmap(nullptr, 8, PROT_READ | PROT_WRITE, MAP_SHARED, buffer->fd(), 0);
  ASSERT_NE(theirs, MAP_FAILED);
  buffer->Write("12345678");
  EXPECT_EQ(std::string(static_cast<char*>(theirs), 8), "12345678");
  static_cast<char*>(theirs)[0] = 'x';
  EXPECT_EQ(buffer->content(), "x2345678");
  munmap(theirs, 8);
}

TEST(SharedBufferTest, ReadOnlyBufferCannotBeMappedForWriting) {
  absl::StatusOr<SharedBuffer> buffer = SharedBuffer::Create(8, SharedBuffer::Access::kReadOnly);
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  EXPECT_EQ(mmap(nullptr, 8, PROT_READ | PROT_WRITE, MAP_SHARED, buffer->fd(), 0), MAP_FAILED);
  EXPECT_LT(pwrite(buffer->fd(), "x", 1, 0), 0);
  void* theirs = mmap(nullptr, 8, PROT_READ, MAP_SHARED, buffer->fd(), 0);
  ASSERT_NE(theirs, MAP_FAILED);
  EXPECT_NE(mprotect(theirs, 8, PROT_READ | PROT_WRITE), 0);
  buffer->Fill('z');
  EXPECT_EQ(std::string(static_cast<char*>(theirs), 8), "zzzzzzzz");
  munmap(theirs, 8);
}

TEST(SharedBufferTest, SizeIsSealed) {
  absl::StatusOr<SharedBuffer> buffer = SharedBuffer::Create(4096, SharedBuffer::Access::kReadWrite);
  ASSERT_TRUE(buffer.ok()) << buffer.status();
  EXPECT_NE(ftruncate(buffer->fd(), 0), 0);
  EXPECT_NE(ftruncate(buffer->fd(), 8192), 0);
  EXPECT_NE(fcntl(buffer->fd(), F_ADD_SEALS, F_SEAL_WRITE), 0);
}

TEST(SharedBufferTest, SealedContentCannotChange) {
  const absl::StatusOr<UniqueFd> content = SealedContent("ELF");
  ASSERT_TRUE(content.ok()) << content.status();
  char bytes[3];
  ASSERT_EQ(pread(content->get(), bytes, 3, 0), 3);
  EXPECT_EQ(std::string(bytes, 3), "ELF");
  EXPECT_LT(pwrite(content->get(), "x", 1, 0), 0);
}

}  // namespace
}  // namespace cudaperf::sandbox
