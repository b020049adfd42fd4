#ifndef CUDAPERF_TESTS_SERVER_PROCESS_CENSUS_H_
#define CUDAPERF_TESTS_SERVER_PROCESS_CENSUS_H_

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "absl/time/time.h"

namespace cudaperf::server {

// One process, as /proc tells.
struct ProcessEntry {
  pid_t pid = 0;
  pid_t parent = 0;
  uid_t user = 0;
  char state = '?';
  std::string command;
};

std::vector<ProcessEntry> AllProcesses();

// Everything below `root`, zombies too.
std::vector<ProcessEntry> DescendantsOf(pid_t root);

// Orphans that run as a user the jails take (58000 .. 59499) and belong to no supervisor: what escaped from its tree.
std::vector<ProcessEntry> EscapedWorkers();

// Waits until `root` has at most `count` descendants; what it has at the end.
std::vector<ProcessEntry> AwaitDescendants(pid_t root, size_t count, absl::Duration limit);

// Everything below `root` once `count` processes of this command are there, such as the spare devices that a judge prepares
// after a call; or at the limit.
std::vector<ProcessEntry> AwaitCommand(pid_t root, std::string_view command, int count, absl::Duration limit);

// One line per process.
std::string Describe(const std::vector<ProcessEntry>& processes);

}  // namespace cudaperf::server

#endif  // CUDAPERF_TESTS_SERVER_PROCESS_CENSUS_H_
