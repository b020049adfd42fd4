#include "sandbox/jail/bubblewrap.h"

#include <sys/stat.h>
#include <unistd.h>

#include <climits>

#include "sandbox/jail/bundle.h"

namespace cudaperf::sandbox {
namespace {

// Present on some systems as folders, on most as links into /usr.
constexpr const char* kSystemFolders[] = {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};
constexpr const char* kSystemFiles[] = {"/etc/ld.so.cache", "/etc/alternatives"};

void Append(std::vector<std::string>& command, std::initializer_list<std::string> words) {
  command.insert(command.end(), words);
}

bool Exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

void AppendSystem(std::vector<std::string>& command) {
  Append(command, {"--ro-bind", "/usr", "/usr"});
  for (const char* folder : kSystemFolders) {
    struct stat entry;
    if (lstat(folder, &entry) != 0) continue;
    char target[PATH_MAX];
    const ssize_t size = S_ISLNK(entry.st_mode) ? readlink(folder, target, sizeof(target)) : -1;
    if (size > 0) {
      Append(command, {"--symlink", std::string(target, static_cast<size_t>(size)), folder});
    } else {
      Append(command, {"--ro-bind", folder, folder});
    }
  }
  for (const char* file : kSystemFiles) {
    if (Exists(file)) Append(command, {"--ro-bind", file, file});
  }
}

void AppendPath(std::vector<std::string>& command, const std::string& path,
                const std::map<std::string, std::string>& sources) {
  const auto source = sources.find(path);
  if (source != sources.end()) {
    Append(command, {"--ro-bind", source->second, path});
  } else if (Exists(path)) {
    Append(command, {"--ro-bind", path, path});
  }
}

}  // namespace

std::string FindBubblewrap(const std::string& jail_program) {
  if (std::string bundled = ProgramBeside(jail_program, "bwrap"); !bundled.empty()) return bundled;
  for (const char* path : {"/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"}) {
    if (access(path, X_OK) == 0) return path;
  }
  return "";
}

std::vector<std::string> BubblewrapCommand(const std::string& bubblewrap, const JailPlan& plan,
                                           const std::string& jail_program, const std::vector<std::string>& inner,
                                           const std::map<std::string, std::string>& sources) {
  std::vector<std::string> command = {
      bubblewrap,   "--unshare-all", "--unshare-user", "--die-with-parent", "--new-session",
      "--as-pid-1", "--hostname",    "jail",           "--cap-drop",        "ALL"};
  AppendSystem(command);
  Append(command, {"--proc", "/proc", "--dir", "/dev", "--dev-bind", "/dev/null", "/dev/null", "--symlink",
                   "/proc/self/fd", "/dev/fd"});
  for (const std::string& path : plan.device_paths) {
    if (Exists(path)) Append(command, {"--dev-bind", path, path});
  }
  for (const std::string& path : plan.readable_paths) {
    // /usr is there already; a second mount of a part of it would only cost time.
    if (!path.starts_with("/usr/")) AppendPath(command, path, sources);
  }
  AppendPath(command, plan.argv[0], sources);
  AppendPath(command, jail_program, sources);
  if (plan.scratch) {
    Append(command, {"--perms", "0700", "--size", std::to_string(plan.scratch_bytes), "--tmpfs", kInnerScratchPath});
  }
  Append(command, {"--remount-ro", "/", "--"});
  command.insert(command.end(), inner.begin(), inner.end());
  return command;
}

}  // namespace cudaperf::sandbox
