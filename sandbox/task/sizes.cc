#include "sandbox/task/sizes.h"

namespace cudaperf::sandbox {

Sizes CaseSizes(const reward::v1::Case& test_case) { return Sizes(test_case.sizes().begin(), test_case.sizes().end()); }

}  // namespace cudaperf::sandbox
