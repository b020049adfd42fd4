// How much the jail costs a compilation: the same source bare in one warm process, and through the jailed workers.
//   compile_bench [TOOLKIT]
#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/clock.h"
#include "sandbox/compile/device_compile.h"
#include "sandbox/compile/nvrtc_library.h"
#include "sandbox/compile/sandboxed_compiler.h"
#include "sandbox/jail/jailed_process.h"

namespace {

using cudaperf::sandbox::JailedProcess;
using cudaperf::sandbox::JailOptions;
using cudaperf::sandbox::NvrtcLibrary;
using cudaperf::sandbox::SandboxedCompiler;
namespace reward = cudaperf::reward::v1;
namespace worker = cudaperf::worker::v1;

constexpr char kSaxpy[] =
    "__global__ void saxpy(int n, float a, const float* x, float* y) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = a * x[i] + y[i];\n"
    "}\n";
constexpr char kHalf[] =
    "#include <cuda_fp16.h>\n"
    "__global__ void scale(int n, __half a, __half* x) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) x[i] = a * x[i];\n"
    "}\n";
constexpr char kLauncher[] =
    "__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = a * x[i] + y[i];\n"
    "}\n"
    "extern \"C\" void saxpy(int n, float a, const float* x, float* y) { saxpy_kernel<<<n / 256 + 1, 256>>>(n, a, x, "
    "y); }\n";

// Median in milliseconds; negative when a call fails.
double Median(int count, const std::function<bool()>& call) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    const absl::Time start = absl::Now();
    if (!call()) return -1;
    times.push_back(absl::ToDoubleMilliseconds(absl::Now() - start));
  }
  std::nth_element(times.begin(), times.begin() + count / 2, times.end());
  return times[count / 2];
}

worker::CompileRequest Request(worker::SourceLanguage language, const std::string& source) {
  worker::CompileRequest request;
  request.set_language(language);
  request.set_source(source);
  request.set_architecture("sm_90");
  request.mutable_time_limit()->set_seconds(120);
  return request;
}

bool Compiles(SandboxedCompiler& compiler, const worker::CompileRequest& request) {
  const auto response = compiler.Compile(request, {});
  return response.ok() && response->status() == worker::COMPILE_STATUS_SUCCEEDED;
}

void PrintJailStart(reward::SandboxLevel level, const char* name) {
  JailOptions options;
  options.level = level;
  options.argv = {"/bin/true"};
  double set_up = 0;
  std::vector<double> set_ups;
  const double whole = Median(51, [&] {
    const absl::Time start = absl::Now();
    auto process = JailedProcess::Start(options);
    set_ups.push_back(absl::ToDoubleMilliseconds(absl::Now() - start));
    return process.ok() && (*process)->Wait(absl::InfiniteFuture()).ok();
  });
  std::nth_element(set_ups.begin(), set_ups.begin() + set_ups.size() / 2, set_ups.end());
  set_up = set_ups[set_ups.size() / 2];
  printf("jail %-34s %8.1f ms to start, %.1f ms with /bin/true and its end\n", name, set_up, whole);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string toolkit = argc > 1 ? argv[1] : "/usr/local/cuda";
  PrintJailStart(reward::SANDBOX_LEVEL_FULL, "FULL");
  PrintJailStart(reward::SANDBOX_LEVEL_REDUCED, "REDUCED");
  const absl::StatusOr<NvrtcLibrary> nvrtc = NvrtcLibrary::Open(toolkit);
  SandboxedCompiler::Options options;
  std::string own = argv[0];
  options.worker_directory = own.substr(0, own.rfind('/') + 1) + "../bin";
  options.toolkit_root = toolkit;
  options.level = JailedProcess::BestLevel();
  auto compiler = SandboxedCompiler::Create(options);
  if (!nvrtc.ok() || !compiler.ok()) {
    fprintf(stderr, "%s\n%s\n", nvrtc.status().ToString().c_str(), compiler.status().ToString().c_str());
    return 1;
  }
  printf("%-24s %12s %12s %8s %16s\n", "NVRTC, median of 31", "bare, ms", "jailed, ms", "ratio", "1.5 x bare + 5");
  for (const auto& [name, source] : {std::pair("saxpy", kSaxpy), std::pair("half, with header", kHalf)}) {
    const worker::CompileRequest request = Request(worker::SOURCE_LANGUAGE_CUDA_DEVICE, source);
    const auto bare_compile = [&] {
      return cudaperf::sandbox::CompileForDevice(*nvrtc, toolkit, request).status() == worker::COMPILE_STATUS_SUCCEEDED;
    };
    bare_compile();
    const double bare = Median(31, bare_compile);
    const double jailed = Median(31, [&] { return Compiles(**compiler, request); });
    printf("%-24s %12.1f %12.1f %8.2f %16.1f\n", name, bare, jailed, jailed / bare, 1.5 * bare + 5);
  }
  const worker::CompileRequest launcher = Request(worker::SOURCE_LANGUAGE_CUDA_LAUNCHER, kLauncher);
  printf("%-24s %25.1f ms\n", "nvcc, median of 3", Median(3, [&] { return Compiles(**compiler, launcher); }));
}
