#ifndef CUDAPERF_SANDBOX_JUDGE_JUDGE_SERVER_H_
#define CUDAPERF_SANDBOX_JUDGE_JUDGE_SERVER_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cudaperf/worker/v1/judge.pb.h"
#include "sandbox/judge/device_pool.h"
#include "sandbox/judge/examination.h"
#include "sandbox/judge/expected_outputs.h"
#include "sandbox/judge/interruption.h"
#include "sandbox/judge/retirement.h"
#include "sandbox/judge/warm_tasks.h"
#include "sandbox/judge/worker_settings.h"
#include "sandbox/worker/frame_channel.h"

namespace cudaperf::sandbox {

// The judge's loop: one request at a time from the daemon's channel, one answer to each. Says that it is ready by an
// empty response. Not thread-safe.
class JudgeServer {
 public:
  JudgeServer(FrameChannel daemon, WorkerSettings settings);

  // Returns OK when the daemon closes its end; workers are gone by then.
  absl::Status Run();

 private:
  worker::v1::JudgeResponse Answer(const worker::v1::JudgeRequest& request);
  absl::StatusOr<worker::v1::ExamineResponse> Examine(const worker::v1::ExamineRequest& request);
  absl::StatusOr<std::string> Admit(const worker::v1::AdmitRequest& request);

  FrameChannel daemon_;
  Interruption interruption_;
  DevicePool pool_;
  ExpectedOutputs known_;
  Retirement retirement_;
  WarmTasks warm_;
  // Of the request just answered; refers to it.
  std::unique_ptr<Examination::Remains> spent_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_JUDGE_SERVER_H_
