#ifndef CUDAPERF_SANDBOX_JAIL_RESOURCE_LIMITS_H_
#define CUDAPERF_SANDBOX_JAIL_RESOURCE_LIMITS_H_

#include "sandbox/jail/jail_plan.h"

namespace cudaperf::sandbox {

// Descriptors a jailed program may hold.
inline constexpr int kDescriptorLimit = 256;

// Sets the kernel's limits on the calling process and what it will start. The one file that knows that sanitizers
// reserve more address space than any limit. False when the kernel refuses.
bool ApplyResourceLimits(const JailPlan& plan);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JAIL_RESOURCE_LIMITS_H_
