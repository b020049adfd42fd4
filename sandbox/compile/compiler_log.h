#ifndef CUDAPERF_SANDBOX_COMPILE_COMPILER_LOG_H_
#define CUDAPERF_SANDBOX_COMPILE_COMPILER_LOG_H_

#include <string>
#include <string_view>
#include <vector>

#include "cudaperf/reward/v1/report.pb.h"

namespace cudaperf::sandbox {

// A compiler's output, taken apart.
struct CompilerLog {
  // In the order of the output; at most 100.
  std::vector<reward::v1::Diagnostic> diagnostics;
  // For people: without our paths and ptxas's resource report, valid UTF-8, at most 64 KiB.
  std::string text;
};

// Understands NVRTC and nvcc's front end, ptxas, nvlink, gcc and ld. `own_paths` are folder names to strip, longest
// first. The output is hostile: it echoes the source.
CompilerLog ParseCompilerLog(std::string_view output, const std::vector<std::string>& own_paths);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_COMPILE_COMPILER_LOG_H_
