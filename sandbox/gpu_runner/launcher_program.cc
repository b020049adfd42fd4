#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "sandbox/gpu_runner/gpu_program.h"

namespace cudaperf::sandbox {
namespace {

using worker::v1::GpuCallRequest;
using worker::v1::GpuCallResponse;

constexpr char kEntry[] = "cudaperf_invoke";

class LauncherProgram : public GpuProgram {
 public:
  using InvokeFunction = void (*)(void**);

  LauncherProgram(GpuContext* gpu, void* handle, InvokeFunction invoke)
      : gpu_(gpu), invoke_(invoke), last_error_(reinterpret_cast<ErrorFunction>(dlsym(handle, "cudaGetLastError"))) {}

  GpuCallResponse Call(const GpuCallRequest& request) override {
    struct Value {
      alignas(std::max_align_t) char bytes[64] = {};
    };
    std::deque<Value> values;
    std::vector<void*> pointers;
    for (const worker::v1::RunnerArgument& argument : request.arguments()) {
      Value& value = values.emplace_back();
      argument.value().copy(value.bytes, sizeof(value.bytes));
      pointers.push_back(value.bytes);
    }
    // An error that an earlier call left behind is not this call's.
    if (last_error_ != nullptr) last_error_();
    invoke_(pointers.data());
    const Driver& driver = gpu_->driver();
    // The launcher may have made another context current, or none.
    driver.CtxSetCurrent(gpu_->context());
    const CUresult ended = driver.CtxSynchronize();
    if (ended != CUDA_SUCCESS) return CallFailure(driver, ended, "cuCtxSynchronize");
    // A launch that the driver refused: nobody else may have looked.
    const int refused = last_error_ == nullptr ? 0 : last_error_();
    return CallFailure(driver, static_cast<CUresult>(refused), "a launch");
  }

 private:
  // cudaError_t and CUresult have the same values where both know an error.
  using ErrorFunction = int (*)();

  GpuContext* const gpu_;
  const InvokeFunction invoke_;
  const ErrorFunction last_error_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<GpuProgram>> LoadLauncher(GpuContext* gpu, const std::string& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* invoke = handle == nullptr ? nullptr : dlsym(handle, kEntry);
  if (invoke == nullptr) {
    const char* complaint = dlerror();
    return absl::InvalidArgumentError(complaint == nullptr ? "cannot be loaded" : complaint);
  }
  return std::make_unique<LauncherProgram>(gpu, handle, reinterpret_cast<LauncherProgram::InvokeFunction>(invoke));
}

}  // namespace cudaperf::sandbox
