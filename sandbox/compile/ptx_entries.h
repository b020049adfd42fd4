#ifndef CUDAPERF_SANDBOX_COMPILE_PTX_ENTRIES_H_
#define CUDAPERF_SANDBOX_COMPILE_PTX_ENTRIES_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cudaperf::sandbox {

// Parameter types of each `.entry` of a PTX text, by name: `u32`, `f32`, `u64`, `b8[16]`. The text is hostile; what
// cannot be read is left out.
std::map<std::string, std::vector<std::string>> ReadPtxEntries(std::string_view ptx);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_COMPILE_PTX_ENTRIES_H_
