#ifndef CUDAPERF_SANDBOX_MEASURE_DEVICE_GENERATOR_H_
#define CUDAPERF_SANDBOX_MEASURE_DEVICE_GENERATOR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cudaperf/reward/v1/task.pb.h"
#include "sandbox/judge/case_layout.h"
#include "sandbox/judge/random_stream.h"
#include "sandbox/measure/gpu_device.h"

namespace cudaperf::sandbox {

// Draws the inputs of one case on the device, at its memory's speed: the same kinds of content as GenerateInputs draws
// on the host, though not the same values. Each parameter's key is derived from the drawing's seed, which comes fresh
// from the operating system; element i is a function of the key and i. Sorted values and CSR structures are stratified,
// one draw per interval, since that needs no sorting.
class DeviceGenerator {
 public:
  // Pointers and the task are not owned; they outlive this.
  DeviceGenerator(GpuDevice* gpu, const reward::v1::CudaTask& task, const reward::v1::Case& test_case,
                  const std::vector<ParameterLayout>& layout)
      : gpu_(gpu), task_(task), case_(test_case), layout_(layout) {}

  // Fills every IN and INOUT buffer at `addresses`, one per parameter. Asynchronous. INVALID_ARGUMENT for a task that
  // was not validated.
  absl::Status Fill(const Seed& seed, const std::vector<CUdeviceptr>& addresses);

  // The bytes of every scalar, by parameter; empty for buffers.
  absl::StatusOr<std::vector<std::string>> Scalars(const Seed& seed) const;

 private:
  absl::Status FillOne(int index, const reward::v1::Generator& generator, uint64_t key,
                       const std::vector<CUdeviceptr>& addresses);
  absl::Status FillColumns(int index, const reward::v1::Generator::CsrColumnIndices& columns, uint64_t key,
                           const std::vector<CUdeviceptr>& addresses);
  // KERNEL_TYPE over the buffer's elements, with up to three arguments behind (address, count, key).
  template <typename... Arguments>
  absl::Status LaunchFill(const std::string& kernel, int index, CUdeviceptr address, uint64_t key,
                          Arguments... arguments);

  GpuDevice* const gpu_;
  const reward::v1::CudaTask& task_;
  const reward::v1::Case& case_;
  const std::vector<ParameterLayout>& layout_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_MEASURE_DEVICE_GENERATOR_H_
