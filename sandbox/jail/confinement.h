#ifndef CUDAPERF_SANDBOX_JAIL_CONFINEMENT_H_
#define CUDAPERF_SANDBOX_JAIL_CONFINEMENT_H_

#include <sys/types.h>

#include <string>

#include "sandbox/jail/jail_plan.h"

namespace cudaperf::sandbox {

// Starts `plan.argv` as a child: own session, own user (if the plan names one), resource limits, Landlock, system call
// filter. Descriptors from `plan.control_fd` on are closed in it. Returns the child's pid once the program runs; -1 and
// a sentence in `failure` when it could not be started.
struct StartedProgram {
  pid_t pid = -1;
  std::string failure;
};
StartedProgram StartConfined(const JailPlan& plan);

// Becomes the plan's user, without groups or capabilities. False when the kernel refuses. Nothing to do for user 0.
bool BecomeUser(const JailPlan& plan);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JAIL_CONFINEMENT_H_
