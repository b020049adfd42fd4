#ifndef CUDAPERF_SANDBOX_COMPILE_FORK_SERVER_H_
#define CUDAPERF_SANDBOX_COMPILE_FORK_SERVER_H_

#include <cstdint>
#include <string>

#include "sandbox/compile/nvrtc_library.h"
#include "sandbox/worker/frame_channel.h"

namespace cudaperf::sandbox {

// A warm NVRTC that compiles each candidate in a child of its own. Startup: it compiles a kernel that includes the
// usual headers, so that children inherit a warm compiler, and sends an empty response: ready. Loop: each frame on
// `channel` is a request and one socket; they go to a spare child, forked beforehand into a narrower domain and with
// its own limits, which answers on that socket; the next spare is made meanwhile. When the child dies instead, the
// server answers there: that death is the candidate's. When the other end of the socket closes its writing side, the
// child is killed. Exit: when `channel` closes, with all children.
struct ForkServerOptions {
  std::string toolkit_root;
  std::string architecture;
  // Most a child may take beyond what it inherited.
  int64_t memory_bytes = 0;
};
int RunForkServer(FrameChannel channel, const ForkServerOptions& options);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_COMPILE_FORK_SERVER_H_
