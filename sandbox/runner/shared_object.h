#ifndef CUDAPERF_SANDBOX_RUNNER_SHARED_OBJECT_H_
#define CUDAPERF_SANDBOX_RUNNER_SHARED_OBJECT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cudaperf/worker/v1/runner.pb.h"
#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {

// A loaded shared object of a launcher or a reference, and how to call it. Its code is hostile and runs in this
// process, its constructors from the start.
class SharedObject {
 public:
  // Loads `path` with all its symbols resolved. Failures are kept and told by every call, since only calls are
  // answered.
  explicit SharedObject(const char* path);
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;

  // Calls `cudaperf_invoke` with these arguments and waits until the device, if the object uses one, has finished.
  // `memory` holds one descriptor for each argument that is a buffer.
  worker::v1::InvokeResponse Invoke(const worker::v1::InvokeRequest& request, const std::vector<UniqueFd>& memory);

 private:
  using InvokeFunction = void (*)(void** arguments);

  std::string Synchronize();

  void* handle_ = nullptr;
  InvokeFunction invoke_ = nullptr;
  std::string load_error_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_RUNNER_SHARED_OBJECT_H_
