#ifndef CUDAPERF_SERVER_TARGET_GPU_H_
#define CUDAPERF_SERVER_TARGET_GPU_H_

#include <string>

#include "absl/status/statusor.h"
#include "analyzers/gpu_sheet.h"
#include "cudaperf/config/v1/server_config.pb.h"
#include "sandbox/measure/measurer.h"

namespace cudaperf::server {

// The data sheet of the GPU that is there, if it is known; else of the one that the settings name. `measurer` is null
// without a GPU. NOT_FOUND when the settings name none that is known.
absl::StatusOr<analyzers::GpuSheet> SheetFor(const config::v1::ServerConfig& config, const sandbox::Measurer* measurer);

// What candidates are compiled for, such as `sm_90`: the GPU that is there, else the sheet's.
std::string ArchitectureOf(const analyzers::GpuSheet& gpu, const sandbox::Measurer* measurer);

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_TARGET_GPU_H_
