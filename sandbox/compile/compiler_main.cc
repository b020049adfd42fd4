// cudaperf-compiler: the jailed side of SandboxedCompiler, which alone starts it. Talks over descriptor 3.
//   cudaperf-compiler serve TOOLKIT ARCHITECTURE MEMORY_BYTES   a warm NVRTC; see fork_server.h
//   cudaperf-compiler build TOOLKIT                             one request, one response: nvcc or cc; see host_build.h
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "cudaperf/worker/v1/compile.pb.h"
#include "sandbox/compile/fork_server.h"
#include "sandbox/compile/host_build.h"
#include "sandbox/worker/frame_channel.h"

namespace {

using cudaperf::sandbox::FrameChannel;
using cudaperf::sandbox::UniqueFd;
namespace worker = cudaperf::worker::v1;

int Build(const std::string& toolkit_root) {
  FrameChannel channel{UniqueFd(3)};
  absl::StatusOr<worker::CompileRequest> request = channel.ReceiveMessage<worker::CompileRequest>();
  if (!request.ok()) return 1;
  absl::StatusOr<worker::CompileResponse> response = cudaperf::sandbox::BuildForHost(toolkit_root, *request);
  if (!response.ok()) {
    fprintf(stderr, "%s\n", response.status().ToString().c_str());
    return 1;
  }
  return channel.Send(*response).ok() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  if (mode == "build" && argc == 3) return Build(argv[2]);
  if (mode == "serve" && argc == 5) {
    const cudaperf::sandbox::ForkServerOptions options{
        .toolkit_root = argv[2], .architecture = argv[3], .memory_bytes = strtoll(argv[4], nullptr, 10)};
    return cudaperf::sandbox::RunForkServer(FrameChannel{UniqueFd(3)}, options);
  }
  fprintf(stderr, "cudaperf-compiler is started by the other programs of CudaPerf Reward, not by hand\n");
  return 2;
}
