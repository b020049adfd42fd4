#ifndef CUDAPERF_SANDBOX_GPU_RUNNER_IMPORTED_MEMORY_H_
#define CUDAPERF_SANDBOX_GPU_RUNNER_IMPORTED_MEMORY_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "cudaperf/worker/v1/gpu_runner.pb.h"
#include "sandbox/gpu_runner/gpu_context.h"
#include "sandbox/worker/unique_fd.h"

namespace cudaperf::sandbox {

// The judge's memory as this process sees it: allocations of the device, and host memory. Not thread-safe.
class ImportedMemory {
 public:
  // `gpu` is not owned; outlives this.
  explicit ImportedMemory(GpuContext* gpu) : gpu_(gpu) {}
  ~ImportedMemory() { UnmapAll(); }

  // One descriptor per mapping, in order. Addresses in the same order.
  absl::StatusOr<std::vector<uint64_t>> Map(const worker::v1::GpuMapRequest& request, const std::vector<UniqueFd>& fds);
  void UnmapAll();

 private:
  struct Mapping {
    uint64_t address = 0;
    int64_t size_bytes = 0;
    bool is_host = false;
  };

  absl::StatusOr<uint64_t> MapDevice(const worker::v1::GpuMapping& mapping, int fd);
  absl::StatusOr<uint64_t> MapHost(const worker::v1::GpuMapping& mapping, int fd);

  GpuContext* const gpu_;
  std::vector<Mapping> mappings_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_GPU_RUNNER_IMPORTED_MEMORY_H_
