#include "sandbox/gpu_runner/gpu_context.h"

#include "absl/strings/str_cat.h"

namespace cudaperf::sandbox {
namespace {

// `hold` spins until the gate is 1, and for at most 20 ms, which no queue of launches takes to fill.
constexpr char kKernels[] = R"(
.version 7.0
.target sm_70
.address_size 64

.visible .entry nothing() { ret; }

.visible .entry hold(.param .u64 gate) {
  .reg .u64 %address, %start, %now, %spent;
  .reg .u32 %value;
  .reg .pred %done;
  ld.param.u64 %address, [gate];
  mov.u64 %start, %globaltimer;
again:
  ld.volatile.global.u32 %value, [%address];
  setp.ne.u32 %done, %value, 0;
  @%done bra end;
  mov.u64 %now, %globaltimer;
  sub.u64 %spent, %now, %start;
  setp.gt.u64 %done, %spent, 20000000;
  @%done bra end;
  bra again;
end:
  ret;
}
)";

}  // namespace

absl::StatusOr<std::unique_ptr<GpuContext>> GpuContext::Create() {
  absl::StatusOr<std::unique_ptr<Driver>> opened = Driver::Open();
  if (!opened.ok()) return opened.status();
  std::unique_ptr<GpuContext> gpu(new GpuContext);
  gpu->driver_ = *std::move(opened);
  const Driver& driver = *gpu->driver_;
  absl::Status status;
  const auto step = [&](const char* call, auto&& make) {
    if (status.ok()) status = driver.Check(make(), call);
  };
  void* gate = nullptr;
  step("cuDeviceGet", [&] { return driver.DeviceGet(&gpu->device_, 0); });
  step("cuDevicePrimaryCtxRetain", [&] { return driver.DevicePrimaryCtxRetain(&gpu->context_, gpu->device_); });
  step("cuCtxSetCurrent", [&] { return driver.CtxSetCurrent(gpu->context_); });
  step("cuModuleLoadDataEx", [&] { return driver.ModuleLoadDataEx(&gpu->module_, kKernels, 0, nullptr, nullptr); });
  step("cuModuleGetFunction", [&] { return driver.ModuleGetFunction(&gpu->nothing_, gpu->module_, "nothing"); });
  step("cuModuleGetFunction", [&] { return driver.ModuleGetFunction(&gpu->hold_, gpu->module_, "hold"); });
  step("cuMemHostAlloc", [&] { return driver.MemHostAlloc(&gate, sizeof(int), CU_MEMHOSTALLOC_DEVICEMAP); });
  step("cuMemHostGetDevicePointer", [&] { return driver.MemHostGetDevicePointer(&gpu->gate_address_, gate, 0); });
  gpu->gate_ = static_cast<int*>(gate);
  step("cuLaunchKernel", [&] { return gpu->LaunchNothing(); });
  step("cuLaunchKernel", [&] {
    const CUresult held = gpu->Hold();
    gpu->Open();
    return held;
  });
  step("cuCtxSynchronize", [&] { return driver.CtxSynchronize(); });
  if (!status.ok()) return status;
  return gpu;
}

CUresult GpuContext::LaunchNothing() const {
  return driver_->LaunchKernel(nothing_, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
}

CUresult GpuContext::Hold() {
  *gate_ = 0;
  void* arguments[] = {&gate_address_};
  return driver_->LaunchKernel(hold_, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);
}

void GpuContext::Open() { *gate_ = 1; }

worker::v1::GpuCallResponse CallFailure(const Driver& driver, CUresult result, const std::string& call) {
  worker::v1::GpuCallResponse response;
  if (result == CUDA_SUCCESS) return response;
  response.set_error(result);
  response.set_error_name(driver.ErrorName(result));
  response.set_detail(call);
  response.set_sticky(absl::IsAborted(driver.Check(result, call)));
  return response;
}

}  // namespace cudaperf::sandbox
