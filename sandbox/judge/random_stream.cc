#include "sandbox/judge/random_stream.h"

#include <sys/random.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numbers>

#include "sandbox/task/sha256.h"

namespace cudaperf::sandbox {

Seed RandomSeed() {
  Seed seed;
  // Up to 256 bytes arrive whole; without them no verdict can be trusted.
  if (getrandom(seed.data(), seed.size(), 0) != static_cast<ssize_t>(seed.size())) std::abort();
  return seed;
}

RandomStream::RandomStream(const Seed& seed, absl::string_view task_id, absl::string_view case_name,
                           absl::string_view parameter, int call) {
  Sha256 digest;
  digest.Add("seed", absl::string_view(reinterpret_cast<const char*>(seed.data()), seed.size()));
  digest.Add("task", task_id)
      .Add("case", case_name)
      .Add("parameter", parameter)
      .Add("call", static_cast<int64_t>(call));
  const std::array<uint8_t, 32> bytes = digest.Finish();
  std::memcpy(&key_, bytes.data(), sizeof(key_));
}

double RandomStream::Normal(uint64_t index) const {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - Unit(2 * index)));
  return radius * std::cos(2.0 * std::numbers::pi * Unit(2 * index + 1));
}

}  // namespace cudaperf::sandbox
