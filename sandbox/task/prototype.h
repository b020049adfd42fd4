#ifndef CUDAPERF_SANDBOX_TASK_PROTOTYPE_H_
#define CUDAPERF_SANDBOX_TASK_PROTOTYPE_H_

#include <string>

#include "cudaperf/reward/v1/task.pb.h"
#include "cudaperf/worker/v1/compile.pb.h"

namespace cudaperf::sandbox {

// What a launcher must define, e.g. `extern "C" void saxpy(int n, float a, const float* x, float* y)`.
std::string LauncherPrototype(const reward::v1::CudaTask& task);

// Source to compile behind a launcher or a reference in the same translation unit: defines
// `cudaperf_invoke(void** arguments)`, which calls the entry point. `arguments[i]` points to the value of parameter i:
// a scalar, or a buffer's address. Empty for device-only source.
std::string InvokeSource(const reward::v1::CudaTask& task, worker::v1::SourceLanguage language);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_TASK_PROTOTYPE_H_
