#ifndef CUDAPERF_SANDBOX_COMPILE_COMPILE_CHILD_H_
#define CUDAPERF_SANDBOX_COMPILE_COMPILE_CHILD_H_

#include <cstdint>
#include <optional>
#include <string>

#include "cudaperf/worker/v1/compile.pb.h"
#include "sandbox/compile/nvrtc_library.h"
#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {

struct CompileChildOptions {
  std::string toolkit_root;
  // Most it may take beyond what it inherited.
  int64_t memory_bytes = 0;
};

// In the forked child: closes every other descriptor, enters a domain that can read the toolkit's headers and nothing else,
// gives up starting processes, compiles, answers on `socket` and ends. Never returns.
[[noreturn]] void RunCompileChild(const NvrtcLibrary& nvrtc, const CompileChildOptions& options,
                                  const worker::v1::CompileRequest& request, UniqueFd socket);

// In the server: what to answer for a child that ended with wait status `status`; nullopt when it has answered itself.
std::optional<worker::v1::CompileResponse> DescribeDeath(int status, bool was_overdue);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_COMPILE_COMPILE_CHILD_H_
