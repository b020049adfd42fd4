#include "sandbox/compile/warm_pages.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

namespace cudaperf::sandbox {
namespace {

// Since Linux 5.14; older headers lack the names, older kernels answer EINVAL.
constexpr int kPopulateRead = 22;
constexpr int kPopulateWrite = 23;
// An arena that was reserved and hardly used must not be filled.
constexpr size_t kMaxWritableBytes = 64 << 20;

bool IsWanted(const std::string& line, bool is_writable, size_t size) {
  if (line.find("[stack") != std::string::npos || line.find("[v") != std::string::npos) return false;
  return is_writable ? size <= kMaxWritableBytes : line.find("libnvrtc") != std::string::npos;
}

}  // namespace

std::vector<WarmRange> FindWarmRanges() {
  std::vector<WarmRange> ranges;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0;
    unsigned long end = 0;
    char permissions[5] = "";
    if (sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, permissions) != 3 || permissions[0] != 'r') continue;
    const bool is_writable = permissions[1] == 'w';
    if (permissions[3] != 'p' || !IsWanted(line, is_writable, end - begin)) continue;
    ranges.push_back({reinterpret_cast<void*>(begin), end - begin, is_writable});
  }
  return ranges;
}

void PopulatePages(const std::vector<WarmRange>& ranges) {
  for (const WarmRange& range : ranges)
    madvise(range.begin, range.size, range.is_writable ? kPopulateWrite : kPopulateRead);
}

}  // namespace cudaperf::sandbox
