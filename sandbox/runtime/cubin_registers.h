#ifndef CUDAPERF_SANDBOX_RUNTIME_CUBIN_REGISTERS_H_
#define CUDAPERF_SANDBOX_RUNTIME_CUBIN_REGISTERS_H_

#include <map>
#include <string>

#include "absl/strings/string_view.h"

namespace cudaperf::sandbox {

// Registers per thread of each kernel and device function of a cubin, by symbol, as ptxas left them in its `.nv.info`
// section. Empty when the bytes are not such a cubin. Safe on any bytes.
std::map<std::string, int> CubinRegisterCounts(absl::string_view cubin);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_RUNTIME_CUBIN_REGISTERS_H_
