#ifndef CUDAPERF_SANDBOX_COMPILE_COMPILE_CHILD_H_
#define CUDAPERF_SANDBOX_COMPILE_COMPILE_CHILD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "cudaperf/worker/v1/compile.pb.h"
#include "sandbox/compile/nvrtc_library.h"
#include "sandbox/compile/warm_pages.h"
#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {

struct CompileChildOptions {
  std::string toolkit_root;
  // Most it may take beyond what it inherited.
  int64_t memory_bytes = 0;
  // Found by the server.
  std::vector<WarmRange> warm_ranges;
};

// In the forked child: closes every descriptor but `orders`, enters a domain that can read the toolkit's headers and
// nothing else, gives up starting processes, maps its memory; then waits for one frame, a request and the socket to
// answer on, compiles, answers and ends. Ends too when `orders` closes. Never returns.
[[noreturn]] void RunCompileChild(const NvrtcLibrary& nvrtc, const CompileChildOptions& options, UniqueFd orders);

// Of one compilation: the child watches the first, the server the second.
struct ChildTimeLimits {
  absl::Duration cpu_time;
  absl::Duration wall_time;
};

// In the server: what to answer for a child that ended with wait status `status`; nullopt when it has answered itself.
std::optional<worker::v1::CompileResponse> DescribeDeath(int status, bool was_overdue, const ChildTimeLimits& limits);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_COMPILE_COMPILE_CHILD_H_
