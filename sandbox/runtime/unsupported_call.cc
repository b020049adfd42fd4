#include "sandbox/runtime/unsupported_call.h"

#include "sandbox/runtime/emulated_runtime.h"

namespace cudaperf::sandbox {

int UnsupportedCall(const char* name) {
  EmulatedRuntime& runtime = EmulatedRuntime::Get();
  if (runtime.device() == nullptr) return runtime.Finish(cudaErrorNoDevice);
  if (runtime.sticky() != cudaSuccess) return runtime.Finish(runtime.sticky());
  return runtime.Finish(runtime.Unsupported(name));
}

}  // namespace cudaperf::sandbox
