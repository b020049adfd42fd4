#ifndef CUDAPERF_SANDBOX_JAIL_SUPERVISOR_H_
#define CUDAPERF_SANDBOX_JAIL_SUPERVISOR_H_

#include <string>

#include "sandbox/jail/jail_plan.h"

namespace cudaperf::sandbox {

// The trusted process above one jail. Startup: claims a user, starts the program (through bubblewrap and a TreeRoot
// when the plan is `full`, itself otherwise) and tells the starter over `plan.control_fd`. Loop: waits for the
// program's end, for the starter to hang up (which also happens when it dies), for the wall time, and samples the
// tree's memory. Exit: kills and reaps every descendant, whatever session it fled to, and only then says how the
// program ended. `jail_program` is the path of this executable. Returns the exit code.
int RunSupervisor(JailPlan plan, const std::string& jail_program);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JAIL_SUPERVISOR_H_
