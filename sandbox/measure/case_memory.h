#ifndef CUDAPERF_SANDBOX_MEASURE_CASE_MEMORY_H_
#define CUDAPERF_SANDBOX_MEASURE_CASE_MEMORY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cudaperf/reward/v1/task.pb.h"
#include "cudaperf/worker/v1/gpu_runner.pb.h"
#include "sandbox/judge/case_draw.h"
#include "sandbox/judge/random_stream.h"
#include "sandbox/judge/shared_buffer.h"
#include "sandbox/measure/device_buffer.h"
#include "sandbox/measure/gpu_device.h"

namespace cudaperf::sandbox {

// The memory of one program in one case, by parameter and scratch buffer: what its runner maps, and for host pointers
// the device memory in which the judge draws and compares. Every program has memory of its own, so that none can reach
// what another reads or writes. Move-only; work on it is asynchronous unless it returns data.
class CaseMemory {
 public:
  // `scratch_bytes`: of a device-only program's plan. RESOURCE_EXHAUSTED without memory. `gpu`, `task` and `test_case`
  // are not owned; they outlive this.
  static absl::StatusOr<CaseMemory> Create(GpuDevice* gpu, const reward::v1::CudaTask& task,
                                           const reward::v1::Case& test_case,
                                           const std::vector<int64_t>& scratch_bytes);

  const std::vector<ParameterLayout>& layout() const { return layout_; }
  // Bytes of all buffers: what a call must be able to hold.
  int64_t size_bytes() const;
  int64_t output_bytes() const;

  // What a runner is to map, and the descriptors of it. `Bind` takes the addresses it answers.
  worker::v1::GpuMapRequest MapRequest(std::vector<int>& fds) const;
  absl::Status Bind(const worker::v1::GpuMapResponse& response);
  // In the runner; 0 for a scalar and for a buffer without elements.
  uint64_t runner_address(int parameter) const { return runner_addresses_[parameter]; }
  uint64_t scratch_address(int scratch) const { return scratch_addresses_[scratch]; }

  // Inputs, by drawing on the device, or from the host.
  absl::Status Draw(const Seed& seed);
  absl::Status Upload(const CaseDraw& draw);
  // OUT buffers and scratch; guards of everything that may be written.
  absl::Status Poison(unsigned char byte);
  absl::Status FillGuards();
  // Name of the first buffer around which something was written; empty when nothing was.
  absl::StatusOr<std::string> FindChangedGuard();

  // Content of a buffer in the judge's context, fetched first where it lies on the host. Absent: no elements.
  absl::StatusOr<CUdeviceptr> DeviceContent(int parameter);
  absl::StatusOr<std::string> HostContent(int parameter) const;

 private:
  struct Entry {
    std::optional<DeviceBuffer> device;
    // Host pointers: what the runner maps instead.
    std::optional<SharedBuffer> host;
  };

  CaseMemory(GpuDevice* gpu, const reward::v1::CudaTask& task, const reward::v1::Case& test_case)
      : gpu_(gpu), task_(&task), case_(&test_case) {}

  absl::Status Allocate(const std::vector<int64_t>& scratch_bytes);
  // Brings what was drawn to the host, where the pointers are the host's.
  absl::Status Publish(int parameter);

  GpuDevice* gpu_;
  const reward::v1::CudaTask* task_;
  const reward::v1::Case* case_;
  std::vector<ParameterLayout> layout_;
  std::vector<Entry> entries_;
  std::vector<std::optional<DeviceBuffer>> scratch_;
  std::vector<uint64_t> runner_addresses_;
  std::vector<uint64_t> scratch_addresses_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_MEASURE_CASE_MEMORY_H_
