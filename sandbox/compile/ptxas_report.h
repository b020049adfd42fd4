#ifndef CUDAPERF_SANDBOX_COMPILE_PTXAS_REPORT_H_
#define CUDAPERF_SANDBOX_COMPILE_PTXAS_REPORT_H_

#include <map>
#include <string>
#include <string_view>

#include "cudaperf/reward/v1/report.pb.h"

namespace cudaperf::sandbox {

// What `ptxas -v` says about each entry function, by name in the object: registers, stack, spills, static shared and
// constant memory, barriers. `output` is hostile.
std::map<std::string, reward::v1::KernelResources> ParsePtxasReport(std::string_view output);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_COMPILE_PTXAS_REPORT_H_
