#ifndef CUDAPERF_SANDBOX_COMPILE_ENTRY_SIGNATURE_H_
#define CUDAPERF_SANDBOX_COMPILE_ENTRY_SIGNATURE_H_

#include <string>
#include <string_view>

namespace cudaperf::sandbox {

// One sentence for a source whose entry point cannot be called as the task wants it: which function is wanted, read
// from the call in `invoke_source`, and what `source` has instead. Both texts are only searched, never trusted.
std::string DescribeSignatureMismatch(std::string_view entry_point, std::string_view invoke_source,
                                      std::string_view source);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_COMPILE_ENTRY_SIGNATURE_H_
