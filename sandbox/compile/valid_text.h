#ifndef CUDAPERF_SANDBOX_COMPILE_VALID_TEXT_H_
#define CUDAPERF_SANDBOX_COMPILE_VALID_TEXT_H_

#include <string>
#include <string_view>

namespace cudaperf::sandbox {

// `text` with every byte that is not part of valid UTF-8, and every NUL, replaced by '?': what compilers echo may be
// any bytes, and protobuf strings may not.
std::string ToValidUtf8(std::string_view text);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_COMPILE_VALID_TEXT_H_
