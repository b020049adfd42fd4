#ifndef CUDAPERF_SANDBOX_JAIL_TREE_ROOT_H_
#define CUDAPERF_SANDBOX_JAIL_TREE_ROOT_H_

#include "sandbox/jail/jail_plan.h"

namespace cudaperf::sandbox {

// Process 1 of a jail with namespaces: starts the program, reaps whatever is orphaned to it, and ends, and with it all
// that the namespace holds, when the program does. Tells the supervisor over the descriptor that it finds as its
// standard error: 'S' once the program runs, 'E' and its wait status at its end, any other text when it could not be
// started. The program can neither see nor signal it. Returns the exit code.
int RunTreeRoot(const JailPlan& plan);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JAIL_TREE_ROOT_H_
