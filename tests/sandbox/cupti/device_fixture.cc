#include "tests/sandbox/cupti/device_fixture.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <nvrtc.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "tests/sandbox/cupti/kernels.h"

namespace cudaperf::sandbox {
namespace {

std::string ToolkitRoot() {
  const char* root = std::getenv("CUDAToolkit_ROOT");
  return root == nullptr ? CUDAPERF_TOOLKIT_ROOT : root;
}

void* OpenNvrtc() {
  for (const char* folder : {"/lib64/", "/lib/"}) {
    if (void* library = dlopen(absl::StrCat(ToolkitRoot(), folder, "libnvrtc.so.13").c_str(), RTLD_NOW)) return library;
  }
  return dlopen("libnvrtc.so.13", RTLD_NOW);
}

// PTX of kKernels.
absl::StatusOr<std::string> CompileKernels() {
  void* nvrtc = OpenNvrtc();
  if (nvrtc == nullptr) return absl::NotFoundError(dlerror());
  const auto create = reinterpret_cast<decltype(&nvrtcCreateProgram)>(dlsym(nvrtc, "nvrtcCreateProgram"));
  const auto compile = reinterpret_cast<decltype(&nvrtcCompileProgram)>(dlsym(nvrtc, "nvrtcCompileProgram"));
  const auto get_size = reinterpret_cast<decltype(&nvrtcGetPTXSize)>(dlsym(nvrtc, "nvrtcGetPTXSize"));
  const auto get = reinterpret_cast<decltype(&nvrtcGetPTX)>(dlsym(nvrtc, "nvrtcGetPTX"));
  nvrtcProgram program;
  if (create(&program, kKernels, "kernels.cu", 0, nullptr, nullptr) != NVRTC_SUCCESS) {
    return absl::InternalError("nvrtcCreateProgram");
  }
  const char* options[] = {"--gpu-architecture=compute_80"};
  if (compile(program, 1, options) != NVRTC_SUCCESS) return absl::InternalError("the kernels do not compile");
  size_t size = 0;
  get_size(program, &size);
  std::string ptx(size, '\0');
  get(program, ptx.data());
  return ptx;
}

}  // namespace

CuptiDeviceTest::Device* CuptiDeviceTest::device_ = nullptr;

absl::StatusOr<std::unique_ptr<CuptiDeviceTest::Device>> CuptiDeviceTest::OpenDevice() {
  auto device = std::make_unique<Device>();
  absl::StatusOr<std::unique_ptr<Driver>> driver = Driver::Open();
  if (!driver.ok()) return driver.status();
  device->driver = *std::move(driver);
  absl::StatusOr<std::unique_ptr<CuptiLibrary>> cupti = CuptiLibrary::Open(ToolkitRoot());
  if (!cupti.ok()) return cupti.status();
  device->cupti = *std::move(cupti);
  absl::StatusOr<std::string> ptx = CompileKernels();
  if (!ptx.ok()) return ptx.status();
  const Driver& cuda = *device->driver;
  const auto check = [&cuda](CUresult result, const char* call) { return cuda.Check(result, call); };
  for (const absl::Status& status :
       {check(cuda.DeviceGet(&device->number, 0), "cuDeviceGet"),
        check(cuda.DevicePrimaryCtxRetain(&device->context, device->number), "cuDevicePrimaryCtxRetain"),
        check(cuda.CtxSetCurrent(device->context), "cuCtxSetCurrent"),
        check(cuda.ModuleLoadDataEx(&device->module, ptx->c_str(), 0, nullptr, nullptr), "cuModuleLoadDataEx"),
        check(cuda.MemAlloc(&device->input, kElements * sizeof(float4)), "cuMemAlloc"),
        check(cuda.MemAlloc(&device->output, kElements * sizeof(float4)), "cuMemAlloc"),
        check(cuda.MemsetD8(device->input, 1, kElements * sizeof(float4)), "cuMemsetD8")}) {
    if (!status.ok()) return status;
  }
  return device;
}

void CuptiDeviceTest::SetUp() {
  if (device_ != nullptr) return;
  absl::StatusOr<std::unique_ptr<Device>> device = OpenDevice();
  if (!device.ok()) GTEST_SKIP() << device.status();
  device_ = device->release();
}

absl::Status CuptiDeviceTest::Launch(const std::string& kernel, Shape shape, int elements) const {
  CUfunction function;
  absl::Status status =
      driver().Check(driver().ModuleGetFunction(&function, device_->module, kernel.c_str()), "cuModuleGetFunction");
  if (!status.ok()) return status;
  CUdeviceptr in = input(), out = output();
  void* arguments[] = {&in, &out, &elements};
  return driver().Check(
      driver().LaunchKernel(function, shape.grid, 1, 1, shape.block, 1, 1, 0, nullptr, arguments, nullptr),
      "cuLaunchKernel");
}

absl::Status CuptiDeviceTest::Synchronize() const {
  return driver().Check(driver().CtxSynchronize(), "cuCtxSynchronize");
}

absl::Status CuptiDeviceTest::Run(const std::string& kernel, Shape shape, int elements) const {
  if (absl::Status status = Launch(kernel, shape, elements); !status.ok()) return status;
  return Synchronize();
}

namespace {

// Where a neighbour finds its ends of the pipes.
constexpr int kReadyDescriptor = 50;
constexpr int kGoDescriptor = 51;

// The process; -1 when it cannot be started.
pid_t StartAnew(const std::string& test, const posix_spawn_file_actions_t* actions) {
  std::string program = "/proc/self/exe";
  std::string filter = absl::StrCat("--gtest_filter=", test);
  std::string disabled = "--gtest_also_run_disabled_tests";
  char* arguments[] = {program.data(), filter.data(), disabled.data(), nullptr};
  pid_t child = -1;
  return posix_spawn(&child, program.c_str(), actions, nullptr, arguments, environ) == 0 ? child : -1;
}

int ExitStatus(pid_t child) {
  int state = 0;
  return child > 0 && waitpid(child, &state, 0) == child && WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

}  // namespace

int RunAnew(const std::string& test) { return ExitStatus(StartAnew(test, nullptr)); }

Neighbour::Neighbour(const std::string& test) {
  int ready[2], go[2];
  if (pipe2(ready, O_CLOEXEC) != 0 || pipe2(go, O_CLOEXEC) != 0) return;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ready[1], kReadyDescriptor);
  posix_spawn_file_actions_adddup2(&actions, go[0], kGoDescriptor);
  process_ = StartAnew(test, &actions);
  posix_spawn_file_actions_destroy(&actions);
  close(ready[1]);
  close(go[0]);
  go_ = go[1];
  char byte;
  ready_ = read(ready[0], &byte, 1) == 1;
  close(ready[0]);
}

Neighbour::~Neighbour() {
  close(go_);
  ExitStatus(process_);
}

void WaitForTheOtherEnd() {
  char byte = 0;
  if (write(kReadyDescriptor, &byte, 1) != 1) return;
  // Ends when the other process closes its end.
  while (read(kGoDescriptor, &byte, 1) > 0) {
  }
}

}  // namespace cudaperf::sandbox
