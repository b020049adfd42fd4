#ifndef CUDAPERF_SANDBOX_JUDGE_RANDOM_STREAM_H_
#define CUDAPERF_SANDBOX_JUDGE_RANDOM_STREAM_H_

#include <array>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace cudaperf::sandbox {

// Secret that inputs are drawn from.
using Seed = std::array<uint8_t, 32>;

// From the kernel's random source.
Seed RandomSeed();

// A counter-based stream: word i is a function of the key and i alone, so that any element can be drawn by itself. The
// key is SHA-256 of (seed, task, case, parameter, call), so no stream tells anything of another; words are SplitMix64
// (Steele, Lea, Flood 2014) over the counter. Immutable.
class RandomStream {
 public:
  RandomStream(const Seed& seed, absl::string_view task_id, absl::string_view case_name, absl::string_view parameter,
               int call);

  uint64_t Word(uint64_t index) const {
    uint64_t z = key_ + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  // Uniform in [0, 1), 53 bits.
  double Unit(uint64_t index) const { return static_cast<double>(Word(index) >> 11) * 0x1p-53; }

  // Uniform in [0, bound); bound above 0. Bias is below bound / 2^64.
  uint64_t Below(uint64_t index, uint64_t bound) const {
    return static_cast<uint64_t>(static_cast<unsigned __int128>(Word(index)) * bound >> 64);
  }

  // Standard normal (Box-Muller); uses words 2 * index and 2 * index + 1.
  double Normal(uint64_t index) const;

 private:
  uint64_t key_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_RANDOM_STREAM_H_
