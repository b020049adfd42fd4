#ifndef CUDAPERF_TESTS_SANDBOX_RUNNER_PROGRAM_FIXTURE_H_
#define CUDAPERF_TESTS_SANDBOX_RUNNER_PROGRAM_FIXTURE_H_

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "cudaperf/worker/v1/device.pb.h"
#include "cudaperf/worker/v1/runner.pb.h"
#include "sandbox/device/device_client.h"
#include "sandbox/worker/frame_channel.h"

namespace cudaperf::sandbox {

// A child process that is killed and reaped with the object. No jail.
class ChildProcess {
 public:
  // `descriptors`: {ours, theirs}; everything else is closed in the child.
  static std::unique_ptr<ChildProcess> Start(const std::vector<std::string>& argv,
                                             const std::vector<std::string>& environment,
                                             const std::vector<std::pair<int, int>>& descriptors);
  ~ChildProcess();

  // Waits for its end and returns what waitpid says.
  int Wait();

 private:
  explicit ChildProcess(pid_t pid) : pid_(pid) {}
  pid_t pid_;
  std::optional<int> end_;
};

// A device process with its control channel, and its command channel still at our side.
struct DeviceProcess {
  static DeviceProcess Start();

  std::unique_ptr<ChildProcess> process;
  std::unique_ptr<DeviceClient> control;
  UniqueFd command;
};

// A runner process of one shared object. `command` is the runner's end of a device's command channel, or invalid.
struct RunnerProcess {
  static RunnerProcess Start(const std::string& shared_object, UniqueFd command);

  absl::StatusOr<worker::v1::InvokeResponse> Invoke(const worker::v1::InvokeRequest& request,
                                                    const std::vector<int>& memory = {});

  std::unique_ptr<ChildProcess> process;
  std::unique_ptr<FrameChannel> channel;
};

// Adds an argument that is passed by value.
template <typename Value>
void AddValue(worker::v1::InvokeRequest* request, Value value) {
  request->add_arguments()->set_value(&value, sizeof(value));
}

// Compiles a file of testdata/ to a shared object in a folder of the test's own, and returns its path. Fails the test
// when the compiler does.
std::string CompileLauncher(const std::string& file);
std::string CompileC(const std::string& file);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_TESTS_SANDBOX_RUNNER_PROGRAM_FIXTURE_H_
