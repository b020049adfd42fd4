#ifndef CUDAPERF_SANDBOX_TASK_KERNEL_LOOKUP_H_
#define CUDAPERF_SANDBOX_TASK_KERNEL_LOOKUP_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "cudaperf/reward/v1/report.pb.h"

namespace cudaperf::sandbox {

// Finds the kernel that a person means by `name`: its name in the object, or its C++ name with or without namespaces
// and template arguments (`scale`, `scale<float, 4>`, `detail::scale`). INVALID_ARGUMENT lists what there is when none
// or several fit. The result points into `kernels`.
absl::StatusOr<const reward::v1::KernelResources*> FindKernel(absl::string_view name,
                                                              absl::Span<const reward::v1::KernelResources> kernels);

// How to write the kernel for a person: its C++ name without return type and parameters.
absl::string_view KernelTitle(const reward::v1::KernelResources& kernel);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_TASK_KERNEL_LOOKUP_H_
