#ifndef CUDAPERF_SANDBOX_TASK_SIZES_H_
#define CUDAPERF_SANDBOX_TASK_SIZES_H_

#include <cstdint>
#include <map>
#include <string>

#include "cudaperf/reward/v1/task.pb.h"

namespace cudaperf::sandbox {

// Values of the names that expressions use.
using Sizes = std::map<std::string, int64_t, std::less<>>;

// The sizes of one case.
Sizes CaseSizes(const reward::v1::Case& test_case);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_TASK_SIZES_H_
