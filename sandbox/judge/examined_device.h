#ifndef CUDAPERF_SANDBOX_JUDGE_EXAMINED_DEVICE_H_
#define CUDAPERF_SANDBOX_JUDGE_EXAMINED_DEVICE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cudaperf/reward/v1/task.pb.h"
#include "cudaperf/worker/v1/judge.pb.h"
#include "sandbox/judge/call_buffers.h"
#include "sandbox/judge/device_session.h"
#include "sandbox/judge/program_session.h"

namespace cudaperf::sandbox {

// A device set up for one examination: limits of the request, buffers of the case. Shared work of both kinds of
// program.
class ExaminedDevice {
 public:
  // Configures a fresh device. `request` is not owned; outlives this.
  static absl::StatusOr<ExaminedDevice> Prepare(std::unique_ptr<DeviceSession> session, const WorkerSettings& settings,
                                                const worker::v1::ExamineRequest& request, Interruption* interruption);

  DeviceSession& session() { return *session_; }

  // Attaches the case's buffers; `addresses()` then has one per parameter, 0 for none.
  absl::Status Attach(const std::vector<ParameterLayout>& layout, const CallBuffers& buffers);
  const std::vector<uint64_t>& addresses() const { return addresses_; }

  // The bytes of an address as a kernel or a launcher takes it.
  std::string AddressBytes(int parameter) const;

 private:
  ExaminedDevice(std::unique_ptr<DeviceSession> session, const worker::v1::ExamineRequest& request)
      : session_(std::move(session)), request_(&request) {}

  std::unique_ptr<DeviceSession> session_;
  const worker::v1::ExamineRequest* request_;
  std::vector<uint64_t> addresses_;
};

// Reads a verdict off what the device recorded; UNSPECIFIED when nothing there decides. `detail` tells the first
// complaint either way.
CallOutcome OutcomeOf(worker::v1::CollectResponse collected);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_EXAMINED_DEVICE_H_
