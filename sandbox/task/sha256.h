#ifndef CUDAPERF_SANDBOX_TASK_SHA256_H_
#define CUDAPERF_SANDBOX_TASK_SHA256_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"

namespace cudaperf::sandbox {

// Digests named fields in the order they are added. Name and value are both length-prefixed, so no two different
// sequences of fields share a digest input. Not thread-safe.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  Sha256& Add(absl::string_view name, absl::string_view value);
  Sha256& Add(absl::string_view name, int64_t value);
  // By its bits: distinguishes -0 from 0.
  Sha256& Add(absl::string_view name, double value);

  // Ends the digest; call once, last.
  std::array<uint8_t, 32> Finish();
  // `sha256:` and 64 hex digits.
  std::string FinishText();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_TASK_SHA256_H_
