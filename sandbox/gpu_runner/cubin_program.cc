#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "sandbox/gpu_runner/gpu_program.h"

namespace cudaperf::sandbox {
namespace {

using worker::v1::GpuCallRequest;
using worker::v1::GpuCallResponse;
using worker::v1::GpuLaunch;

class CubinProgram : public GpuProgram {
 public:
  CubinProgram(GpuContext* gpu, CUmodule module) : gpu_(gpu), module_(module) {}

  GpuCallResponse Call(const GpuCallRequest& request) override {
    // Looked up before anything is held back.
    for (const GpuLaunch& launch : request.launches()) {
      if (GpuCallResponse failure = Find(launch); failure.error() != 0) return failure;
    }
    // Launches are queued while the device is held, so that the time between two kernels is the device's, not ours.
    const bool is_held = request.launches_size() > 1;
    if (is_held) {
      if (const CUresult held = gpu_->Hold(); held != CUDA_SUCCESS)
        return CallFailure(driver(), held, "cuLaunchKernel");
    }
    GpuCallResponse response;
    for (const GpuLaunch& launch : request.launches()) {
      response = Launch(launch);
      if (response.error() != 0) break;
    }
    if (is_held) gpu_->Open();
    const CUresult ended = driver().CtxSynchronize();
    if (response.error() != 0 && ended == CUDA_SUCCESS) return response;
    return CallFailure(driver(), ended, "cuCtxSynchronize");
  }

 private:
  const Driver& driver() const { return gpu_->driver(); }

  GpuCallResponse Find(const GpuLaunch& launch) {
    CUfunction& function = functions_[launch.kernel()];
    if (function == nullptr) {
      const CUresult found = driver().ModuleGetFunction(&function, module_, launch.kernel().c_str());
      if (found != CUDA_SUCCESS) return CallFailure(driver(), found, "cuModuleGetFunction " + launch.kernel());
    }
    if (launch.dynamic_shared_bytes() > 0) {
      const CUresult allowed = driver().FuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                                         static_cast<int>(launch.dynamic_shared_bytes()));
      if (allowed != CUDA_SUCCESS) return CallFailure(driver(), allowed, "launch of " + launch.kernel());
    }
    return {};
  }

  GpuCallResponse Launch(const GpuLaunch& launch) {
    std::vector<void*> arguments;
    for (const std::string& value : launch.arguments()) arguments.push_back(const_cast<char*>(value.data()));
    const auto at = [](const auto& sizes, int axis) { return static_cast<unsigned>(sizes[axis]); };
    const CUresult launched =
        driver().LaunchKernel(functions_[launch.kernel()], at(launch.grid(), 0), at(launch.grid(), 1),
                              at(launch.grid(), 2), at(launch.block(), 0), at(launch.block(), 1), at(launch.block(), 2),
                              static_cast<unsigned>(launch.dynamic_shared_bytes()), nullptr, arguments.data(), nullptr);
    return CallFailure(driver(), launched, "launch of " + launch.kernel());
  }

  GpuContext* const gpu_;
  const CUmodule module_;
  std::map<std::string, CUfunction> functions_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<GpuProgram>> LoadCubin(GpuContext* gpu, const std::string& cubin) {
  CUmodule module = nullptr;
  const CUresult loaded = gpu->driver().ModuleLoadDataEx(&module, cubin.data(), 0, nullptr, nullptr);
  if (loaded != CUDA_SUCCESS) return absl::InvalidArgumentError(gpu->driver().ErrorName(loaded));
  return std::make_unique<CubinProgram>(gpu, module);
}

}  // namespace cudaperf::sandbox
