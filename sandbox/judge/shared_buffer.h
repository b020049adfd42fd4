#ifndef CUDAPERF_SANDBOX_JUDGE_SHARED_BUFFER_H_
#define CUDAPERF_SANDBOX_JUDGE_SHARED_BUFFER_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {

// Memory that the judge shares with a worker by its descriptor. Its size is sealed. A read-only one can be written
// through the judge's own mapping alone: nobody who gets the descriptor can map it for writing. Move-only.
class SharedBuffer {
 public:
  enum class Access { kReadWrite, kReadOnly };

  // `size_bytes` above 0. RESOURCE_EXHAUSTED without memory.
  static absl::StatusOr<SharedBuffer> Create(int64_t size_bytes, Access access);

  SharedBuffer(SharedBuffer&& other) noexcept;
  SharedBuffer& operator=(SharedBuffer&&) = delete;
  ~SharedBuffer();

  int fd() const { return fd_.get(); }
  // Others may write it at any time: read each byte once.
  absl::string_view content() const { return {data_, static_cast<size_t>(size_bytes_)}; }

  // The judge's own mapping.
  char* data() { return data_; }

  // `bytes` has the buffer's size.
  void Write(absl::string_view bytes);
  void Fill(uint8_t byte);

 private:
  SharedBuffer(UniqueFd fd, char* data, int64_t size_bytes)
      : fd_(std::move(fd)), data_(data), size_bytes_(size_bytes) {}

  UniqueFd fd_;
  char* data_;
  int64_t size_bytes_;
};

// A sealed, unwritable descriptor with this content, such as a shared object to load.
absl::StatusOr<UniqueFd> SealedContent(absl::string_view bytes);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_SHARED_BUFFER_H_
