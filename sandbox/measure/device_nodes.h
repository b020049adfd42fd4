#ifndef CUDAPERF_SANDBOX_MEASURE_DEVICE_NODES_H_
#define CUDAPERF_SANDBOX_MEASURE_DEVICE_NODES_H_

#include <string>
#include <vector>

namespace cudaperf::sandbox {

// The nodes below /dev that a process needs to use the GPU at this PCI address (`0000:3b:00.0`), and no other GPU.
// Where the driver does not tell which node is its, all GPUs' nodes.
std::vector<std::string> DeviceNodes(const std::string& pci_bus_id);

// The kernel driver's release, such as `580.159.04`, if it tells; else the CUDA version that `cuda_version` stands for.
std::string DriverVersionText(int cuda_version);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_MEASURE_DEVICE_NODES_H_
