#ifndef CUDAPERF_SANDBOX_JAIL_JAIL_RECORD_H_
#define CUDAPERF_SANDBOX_JAIL_JAIL_RECORD_H_

#include <cstdint>

namespace cudaperf::sandbox {

// What the supervisor tells its starter, one packet each: first kStarted or kRefused, then, if started, kEnded.
struct JailRecord {
  enum class Kind : int32_t { kStarted, kRefused, kEnded };
  Kind kind = Kind::kStarted;
  // kEnded: ProcessEnd::Cause.
  int32_t cause = 0;
  // kEnded: exit code or signal.
  int32_t value = 0;
  // kRefused: 1 when the machine does not allow the level.
  int32_t machine_refuses = 0;
  // kRefused: why; null-terminated.
  char reason[496] = {};
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JAIL_JAIL_RECORD_H_
