#include "sandbox/judge/worker_settings.h"

#include <cstring>

#include "absl/strings/str_cat.h"

namespace cudaperf::sandbox {

std::string DescribeEnd(const ProcessEnd& end) {
  switch (end.cause) {
    case ProcessEnd::Cause::kExited:
      return absl::StrCat("exited with status ", end.exit_code);
    case ProcessEnd::Cause::kSignaled: {
      const char* name = sigdescr_np(end.signal);
      return absl::StrCat("was ended by signal ", end.signal, name == nullptr ? "" : absl::StrCat(" (", name, ")"));
    }
    case ProcessEnd::Cause::kWallTime:
    case ProcessEnd::Cause::kCpuTime:
      return "ran past its time limit";
    case ProcessEnd::Cause::kMemory:
      return "used more memory than its limit";
    case ProcessEnd::Cause::kKilledByUs:
      return "was ended by the judge";
  }
  return "ended";
}

}  // namespace cudaperf::sandbox
