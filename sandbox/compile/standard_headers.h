#ifndef CUDAPERF_SANDBOX_COMPILE_STANDARD_HEADERS_H_
#define CUDAPERF_SANDBOX_COMPILE_STANDARD_HEADERS_H_

#include <span>

namespace cudaperf::sandbox {

// A header that NVRTC is handed with the source, as text.
struct StandardHeader {
  // As an #include names it.
  const char* name;
  const char* text;
};

// Included in front of every source: what nvcc, whose host headers are always there, offers without any #include.
inline constexpr char kImplicitHeader[] = "cudaperf_implicit.h";

// Stand-ins for the host headers that kernels include most, which NVRTC has none of. Only those that cost next to
// nothing to read: the toolkit's own (cuda/std/...) take it up to a second, as long as nvcc needs for everything.
std::span<const StandardHeader> StandardHeaders();

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_COMPILE_STANDARD_HEADERS_H_
