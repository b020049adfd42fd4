#ifndef CUDAPERF_SANDBOX_JAIL_BUBBLEWRAP_H_
#define CUDAPERF_SANDBOX_JAIL_BUBBLEWRAP_H_

#include <map>
#include <string>
#include <vector>

#include "sandbox/jail/jail_plan.h"

namespace cudaperf::sandbox {

// Where the scratch folder lies inside the namespaces.
inline constexpr char kInnerScratchPath[] = "/scratch";

// Path of bubblewrap: the one beside `jail_program`, as in a bundle, else the system's; empty when there is none.
std::string FindBubblewrap(const std::string& jail_program);

// Command line that runs `inner` in fresh user, pid, mount, network, IPC, UTS and cgroup namespaces, as process 1, over
// a read-only root that holds the system's libraries, the plan's readable paths, `jail_program` at its own path, a
// /proc of its own and /dev/null. `sources` says where some of those paths lie in the caller's view; see
// exposed_paths.h.
std::vector<std::string> BubblewrapCommand(const std::string& bubblewrap, const JailPlan& plan,
                                           const std::string& jail_program, const std::vector<std::string>& inner,
                                           const std::map<std::string, std::string>& sources);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JAIL_BUBBLEWRAP_H_
