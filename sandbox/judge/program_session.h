#ifndef CUDAPERF_SANDBOX_JUDGE_PROGRAM_SESSION_H_
#define CUDAPERF_SANDBOX_JUDGE_PROGRAM_SESSION_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "cudaperf/reward/v1/report.pb.h"
#include "cudaperf/worker/v1/device.pb.h"
#include "sandbox/jail/jailed_process.h"
#include "sandbox/judge/call_buffers.h"
#include "sandbox/judge/case_draw.h"

namespace cudaperf::sandbox {

// How one call of the examined program ended.
struct CallOutcome {
  // UNSPECIFIED: it ran to its end, the outputs decide. Anything else decides by itself, and the session is spent.
  reward::v1::CaseStatus status = reward::v1::CASE_STATUS_UNSPECIFIED;
  // One sentence, with any status: what the device complained of first.
  std::string detail;
  // Not empty: the launch does not fit; the whole examination ends with this sentence.
  std::string rejection;
  // What the device counted and found.
  worker::v1::CollectResponse collected;
  absl::Duration duration;
};

// The examined program in its workers. Calls come in order: BeginCase, then Call for each drawing, then EndCase. A
// non-OK status: ABORTED when a worker of ours died, CANCELLED or UNAVAILABLE from the daemon, otherwise a fault of
// ours; the session is spent.
class ProgramSession {
 public:
  virtual ~ProgramSession() = default;

  // `buffers` is borrowed until EndCase.
  virtual absl::Status BeginCase(int case_index, const std::vector<ParameterLayout>& layout,
                                 const CallBuffers& buffers) = 0;

  // Calls the program once; `buffers` were prepared from `draw`.
  virtual absl::StatusOr<CallOutcome> Call(const CaseDraw& draw, int call) = 0;

  // Processor time that host code of the program has taken since the last call began, beyond what its calls of the CUDA
  // runtime, as `collected`, may cost; zero where there is no host code. To be asked when outputs have been looked at:
  // until then a thread may still be at work on them.
  virtual absl::Duration HostWork(const worker::v1::CollectResponse& collected) const = 0;

  virtual absl::Status EndCase() = 0;

  // How the emulated device ended; ends it if it runs.
  virtual ProcessEnd EndDevice() = 0;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_PROGRAM_SESSION_H_
