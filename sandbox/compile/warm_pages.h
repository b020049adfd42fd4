#ifndef CUDAPERF_SANDBOX_COMPILE_WARM_PAGES_H_
#define CUDAPERF_SANDBOX_COMPILE_WARM_PAGES_H_

#include <cstddef>
#include <vector>

namespace cudaperf::sandbox {

// A stretch of this process's memory that a forked child will want.
struct WarmRange {
  void* begin = nullptr;
  size_t size = 0;
  bool is_writable = false;
};

// What this process has written, and the code of NVRTC. Read before a fork: the child may not look at /proc.
std::vector<WarmRange> FindWarmRanges();

// In the forked child: maps those pages at once. A fork copies no page tables of files and no pages; met one by one
// while compiling, these 2,800 faults cost as much time as half a compilation. Best effort.
void PopulatePages(const std::vector<WarmRange>& ranges);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_COMPILE_WARM_PAGES_H_
