#include "sandbox/jail/scratch_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace cudaperf::sandbox {
namespace {

constexpr int kOpenFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

// Calls `visit` with each entry's name until it returns false.
void ForEachEntry(int folder, const std::function<bool(const char*)>& visit) {
  // A descriptor of its own: reading moves the shared offset.
  const int copy = openat(folder, ".", kOpenFolder);
  DIR* entries = copy < 0 ? nullptr : fdopendir(copy);
  if (entries == nullptr) return;
  while (const dirent* entry = readdir(entries)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != ".." && !visit(entry->d_name)) break;
  }
  closedir(entries);
}

int64_t MeasureFolder(int folder, int64_t enough, int depth) {
  // Deeper than any compiler goes: counted as too much.
  if (depth > 32) return enough + 1;
  int64_t total = 0;
  ForEachEntry(folder, [&](const char* name) {
    struct stat entry;
    if (fstatat(folder, name, &entry, AT_SYMLINK_NOFOLLOW) != 0) return true;
    total += entry.st_blocks * 512 + 64;
    if (S_ISDIR(entry.st_mode)) {
      UniqueFd inner(openat(folder, name, kOpenFolder));
      if (inner.valid()) total += MeasureFolder(inner.get(), enough - total, depth + 1);
    }
    return total <= enough;
  });
  return total;
}

// Empties `top` however deep it goes, without recursion: what lies in a folder is first moved up to `top`.
void Empty(int top) {
  int64_t moved = 0;
  for (bool left = true; left;) {
    left = false;
    std::vector<std::string> names;
    ForEachEntry(top, [&](const char* name) { return names.emplace_back(name), true; });
    for (const std::string& name : names) {
      if (unlinkat(top, name.c_str(), 0) == 0 || unlinkat(top, name.c_str(), AT_REMOVEDIR) == 0) continue;
      fchmodat(top, name.c_str(), 0700, 0);
      UniqueFd inner(openat(top, name.c_str(), kOpenFolder));
      if (!inner.valid()) continue;
      ForEachEntry(inner.get(), [&](const char* entry) {
        const std::string fresh = ".emptied-" + std::to_string(moved++);
        left |= renameat(inner.get(), entry, top, fresh.c_str()) == 0;
        return true;
      });
      left |= unlinkat(top, name.c_str(), AT_REMOVEDIR) == 0;
    }
  }
}

}  // namespace

ScratchFolder ScratchFolder::Create(int64_t user) {
  ScratchFolder scratch;
  std::string path = "/tmp/cudaperf-jail-XXXXXX";
  if (mkdtemp(path.data()) == nullptr) return scratch;
  scratch.path_ = path;
  scratch.folder_ = UniqueFd(open(path.c_str(), kOpenFolder));
  const auto id = static_cast<uid_t>(user);
  if (user != 0 && fchown(scratch.folder_.get(), id, id) != 0) scratch.folder_.Reset();
  return scratch;
}

ScratchFolder& ScratchFolder::operator=(ScratchFolder&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(folder_, other.folder_);
  // `other` may live on: end what it took over now.
  ScratchFolder ended(std::move(other));
  return *this;
}

ScratchFolder::~ScratchFolder() {
  if (path_.empty()) return;
  if (folder_.valid()) Empty(folder_.get());
  rmdir(path_.c_str());
}

int64_t ScratchFolder::Measure(int64_t enough) const {
  return folder_.valid() ? MeasureFolder(folder_.get(), enough, 0) : 0;
}

}  // namespace cudaperf::sandbox
