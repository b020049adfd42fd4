#ifndef CUDAPERF_SANDBOX_JAIL_SCRATCH_FOLDER_H_
#define CUDAPERF_SANDBOX_JAIL_SCRATCH_FOLDER_H_

#include <cstdint>
#include <string>

#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {

// A fresh folder on disk for a jail without a mount namespace. What it holds is hostile: it is measured and removed
// through descriptors, one level at a time, never by following a path or a link. Removed on destruction, when nothing
// of the jail runs any more.
class ScratchFolder {
 public:
  // Owned by `user`; 0: by us. Invalid when it cannot be made.
  static ScratchFolder Create(int64_t user);

  ScratchFolder() = default;
  ScratchFolder(ScratchFolder&&) = default;
  // Removes what it held before.
  ScratchFolder& operator=(ScratchFolder&& other) noexcept;
  ~ScratchFolder();

  bool valid() const { return folder_.valid(); }
  const std::string& path() const { return path_; }

  // Bytes taken on disk; stops counting once past `enough`.
  int64_t Measure(int64_t enough) const;

 private:
  std::string path_;
  UniqueFd folder_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JAIL_SCRATCH_FOLDER_H_
