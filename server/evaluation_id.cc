#include "server/evaluation_id.h"

#include <cstdint>

#include "absl/random/random.h"
#include "absl/strings/str_format.h"

namespace cudaperf::server {

std::string NewEvaluationId() {
  thread_local absl::BitGen generator;
  return absl::StrFormat("%016x", absl::Uniform<uint64_t>(generator));
}

}  // namespace cudaperf::server
