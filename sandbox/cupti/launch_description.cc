#include "sandbox/cupti/launch_description.h"

#include <vector>

namespace cudaperf::sandbox {

bool DescribeLaunches(const worker::v1::GpuRecordsResponse& records,
                      absl::Span<reward::v1::KernelExecution> executions) {
  std::vector<const worker::v1::GpuActivity*> kernels;
  for (const worker::v1::GpuActivity& activity : records.activities()) {
    if (activity.kind() == worker::v1::GpuActivity::KIND_KERNEL) kernels.push_back(&activity);
  }
  if (kernels.size() != executions.size()) return false;
  for (size_t i = 0; i < kernels.size(); ++i) {
    executions[i].set_kernel(kernels[i]->kernel());
    *executions[i].mutable_grid() = kernels[i]->grid();
    *executions[i].mutable_block() = kernels[i]->block();
    executions[i].set_dynamic_shared_bytes(kernels[i]->dynamic_shared_bytes());
    executions[i].set_static_shared_bytes(kernels[i]->static_shared_bytes());
    executions[i].set_register_count(kernels[i]->register_count());
  }
  return true;
}

}  // namespace cudaperf::sandbox
