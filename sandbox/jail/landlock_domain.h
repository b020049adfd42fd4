#ifndef CUDAPERF_SANDBOX_JAIL_LANDLOCK_DOMAIN_H_
#define CUDAPERF_SANDBOX_JAIL_LANDLOCK_DOMAIN_H_

#include <string>

#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {

// A Landlock domain in the making: everything is denied but what is added. Uses every right that the running kernel
// knows: files, TCP (ABI 4), device ioctls (5), signals and abstract sockets to processes outside (6). Domains nest: a
// process in one may enter a narrower one. Thread-compatible.
class LandlockDomain {
 public:
  // ABI version of the running kernel; 0 when it has no Landlock.
  static int KernelAbi();

  LandlockDomain();

  // False when the kernel has no Landlock.
  bool valid() const { return ruleset_.valid(); }

  // A path that does not exist is left out: nothing can be opened there. False on any other failure.
  bool AllowReading(const std::string& path);
  // Everything but execution, device nodes, sockets and pipes.
  bool AllowWriting(const std::string& path);

  // A device node: reading, writing and its ioctls.
  bool AllowDevice(const std::string& path);

  // Confines the calling thread and all it will start, for good. Sets no_new_privs.
  bool Enter();

 private:
  bool Allow(const std::string& path, unsigned long long rights);

  int abi_;
  UniqueFd ruleset_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JAIL_LANDLOCK_DOMAIN_H_
