#ifndef CUDAPERF_SANDBOX_COMPILE_KERNEL_RESOURCES_H_
#define CUDAPERF_SANDBOX_COMPILE_KERNEL_RESOURCES_H_

#include <string_view>
#include <vector>

#include "cudaperf/reward/v1/report.pb.h"

namespace cudaperf::sandbox {

// The kernels of a compiled object. Which ones there are is read from the cubin, which inline assembly cannot hide
// anything from; what they use from ptxas's report and the cubin's sections; their parameters from the PTX. All three
// are hostile. In the order of the cubin's symbols, at most 1024.
std::vector<reward::v1::KernelResources> DescribeKernels(std::string_view cubin, std::string_view ptx,
                                                         std::string_view compiler_output);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_COMPILE_KERNEL_RESOURCES_H_
