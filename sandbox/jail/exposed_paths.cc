#include "sandbox/jail/exposed_paths.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {
namespace {

// Hidden by a file system of ours, in the new namespace alone.
constexpr char kPlace[] = "/run";

// Binds the file or folder behind `source` to `target`, which it creates.
bool Bind(int source, const std::string& target) {
  struct stat entry;
  if (fstat(source, &entry) != 0) return false;
  if (S_ISDIR(entry.st_mode)) {
    if (mkdir(target.c_str(), 0755) != 0) return false;
  } else {
    UniqueFd file(open(target.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
    if (!file.valid()) return false;
  }
  const std::string link = "/proc/self/fd/" + std::to_string(source);
  return mount(link.c_str(), target.c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0;
}

bool EnterNamespace() {
  return unshare(CLONE_NEWNS) == 0 && mount(nullptr, "/", nullptr, MS_SLAVE | MS_REC, nullptr) == 0;
}

}  // namespace

bool IsReachableByOthers(const std::string& path) {
  char resolved[PATH_MAX];
  if (realpath(path.c_str(), resolved) == nullptr) return true;
  std::string folder = resolved;
  while (folder.size() > 1) {
    const size_t slash = folder.rfind('/');
    folder = slash == 0 ? "/" : folder.substr(0, slash);
    struct stat entry;
    if (stat(folder.c_str(), &entry) != 0 || (entry.st_mode & S_IXOTH) == 0) return false;
  }
  return true;
}

std::map<std::string, std::string> ExposePaths(const std::vector<std::string>& paths) {
  std::map<std::string, std::string> exposed;
  if (geteuid() != 0 || std::all_of(paths.begin(), paths.end(), IsReachableByOthers)) return exposed;
  if (!EnterNamespace()) return exposed;
  // All opened before anything is hidden.
  std::map<std::string, UniqueFd> sources;
  for (const std::string& path : paths) {
    UniqueFd source(open(path.c_str(), O_PATH | O_CLOEXEC));
    if (source.valid()) sources.insert_or_assign(path, std::move(source));
  }
  if (mount("tmpfs", kPlace, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755") != 0) return exposed;
  for (const auto& [path, source] : sources) {
    const std::string target = std::string(kPlace) + "/" + std::to_string(exposed.size());
    if (Bind(source.get(), target)) exposed[path] = target;
  }
  return exposed;
}

}  // namespace cudaperf::sandbox
