#ifndef CUDAPERF_SANDBOX_JAIL_EXPOSED_PATHS_H_
#define CUDAPERF_SANDBOX_JAIL_EXPOSED_PATHS_H_

#include <map>
#include <string>
#include <vector>

namespace cudaperf::sandbox {

// Whether any user may pass all folders above `path`; /root, for one, lets nobody else pass.
bool IsReachableByOthers(const std::string& path);

// Makes paths that only root reaches reachable for the user that the caller, root and single-threaded, is about to
// become: in a mount namespace of its own, binds them below a fresh folder. Returns path -> where it is now; empty when
// that was not needed, or is not possible here (the paths then stay out of reach).
std::map<std::string, std::string> ExposePaths(const std::vector<std::string>& paths);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JAIL_EXPOSED_PATHS_H_
