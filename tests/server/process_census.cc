#include "tests/server/process_census.h"

#include <dirent.h>
#include <poll.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"

namespace cudaperf::server {
namespace {

constexpr uid_t kFirstWorkerUser = 58000;
constexpr uid_t kWorkerUserCount = 1500;

bool ReadProcess(pid_t pid, ProcessEntry* entry) {
  const std::string folder = absl::StrCat("/proc/", pid);
  struct stat status = {};
  std::ifstream stream(folder + "/stat");
  std::string line;
  if (stat(folder.c_str(), &status) != 0 || !std::getline(stream, line)) return false;
  const size_t open = line.find('(');
  const size_t close = line.rfind(')');
  if (open == std::string::npos || close == std::string::npos) return false;
  entry->pid = pid;
  entry->user = status.st_uid;
  entry->command = line.substr(open + 1, close - open - 1);
  return std::sscanf(line.c_str() + close + 1, " %c %d", &entry->state, &entry->parent) == 2;
}

std::set<pid_t> Below(pid_t root, const std::vector<ProcessEntry>& processes) {
  std::set<pid_t> below = {root};
  for (bool grew = true; grew;) {
    grew = false;
    for (const ProcessEntry& process : processes) {
      if (below.contains(process.parent)) grew |= below.insert(process.pid).second;
    }
  }
  below.erase(root);
  return below;
}

}  // namespace

std::vector<ProcessEntry> AllProcesses() {
  std::vector<ProcessEntry> processes;
  DIR* proc = opendir("/proc");
  while (const dirent* entry = readdir(proc)) {
    ProcessEntry process;
    if (ReadProcess(std::atoi(entry->d_name), &process)) processes.push_back(process);
  }
  closedir(proc);
  return processes;
}

std::vector<ProcessEntry> DescendantsOf(pid_t root) {
  const std::vector<ProcessEntry> processes = AllProcesses();
  const std::set<pid_t> below = Below(root, processes);
  std::vector<ProcessEntry> descendants;
  for (const ProcessEntry& process : processes) {
    if (below.contains(process.pid)) descendants.push_back(process);
  }
  return descendants;
}

std::vector<ProcessEntry> EscapedWorkers() {
  std::vector<ProcessEntry> escaped;
  for (const ProcessEntry& process : AllProcesses()) {
    const bool is_worker = process.user >= kFirstWorkerUser && process.user < kFirstWorkerUser + kWorkerUserCount;
    if (is_worker && process.parent == 1) escaped.push_back(process);
  }
  return escaped;
}

std::vector<ProcessEntry> AwaitDescendants(pid_t root, size_t count, absl::Duration limit) {
  const absl::Time deadline = absl::Now() + limit;
  std::vector<ProcessEntry> descendants = DescendantsOf(root);
  while (descendants.size() > count && absl::Now() < deadline) {
    poll(nullptr, 0, 10);
    descendants = DescendantsOf(root);
  }
  return descendants;
}

std::vector<ProcessEntry> AwaitCommand(pid_t root, std::string_view command, int count, absl::Duration limit) {
  const absl::Time deadline = absl::Now() + limit;
  const auto runs_command = [&](const ProcessEntry& process) { return process.command == command; };
  std::vector<ProcessEntry> descendants = DescendantsOf(root);
  while (std::count_if(descendants.begin(), descendants.end(), runs_command) < count && absl::Now() < deadline) {
    poll(nullptr, 0, 10);
    descendants = DescendantsOf(root);
  }
  return descendants;
}

std::string Describe(const std::vector<ProcessEntry>& processes) {
  std::string text;
  for (const ProcessEntry& process : processes) {
    absl::StrAppendFormat(&text, "%d (%s) parent %d user %d state %c\n", process.pid, process.command, process.parent,
                          static_cast<int>(process.user), process.state);
  }
  return text;
}

}  // namespace cudaperf::server
