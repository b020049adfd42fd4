#ifndef CUDAPERF_SANDBOX_CUDA_NVML_H_
#define CUDAPERF_SANDBOX_CUDA_NVML_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace cudaperf::sandbox {

// NVIDIA's management library, opened at run time: what may disturb a measurement on one GPU. Declares what it uses
// itself, since toolkits do not always carry the header; the functions' ABI is fixed by their version suffix. Not
// thread-safe.
class Nvml {
 public:
  // NOT_FOUND without the library, UNAVAILABLE when it does not know the GPU of this UUID.
  static absl::StatusOr<std::unique_ptr<Nvml>> Open(const std::string& uuid);
  ~Nvml();

  // One sentence for each reason why the clocks are lowered right now, such as `clocks are lowered: power cap`.
  std::vector<std::string> ThrottleReasons() const;
  // Processes with a compute context on the GPU; empty where the driver does not tell.
  std::vector<pid_t> ComputeProcesses() const;

 private:
  Nvml() = default;
  bool Resolve(void* library);

  using Handle = void*;
  struct ProcessInfo {
    unsigned int pid;
    unsigned long long used_bytes;
    unsigned int gpu_instance;
    unsigned int compute_instance;
  };

  int (*init_)() = nullptr;
  int (*shutdown_)() = nullptr;
  int (*handle_by_uuid_)(const char*, Handle*) = nullptr;
  int (*throttle_reasons_)(Handle, unsigned long long*) = nullptr;
  int (*compute_processes_)(Handle, unsigned int*, ProcessInfo*) = nullptr;
  Handle device_ = nullptr;
};

// Of `processes`, those that are neither this process nor below it.
std::vector<pid_t> Strangers(const std::vector<pid_t>& processes);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_CUDA_NVML_H_
