#include "server/target_gpu.h"

#include "absl/strings/str_cat.h"

namespace cudaperf::server {

std::string ArchitectureOf(const analyzers::GpuSheet& gpu, const sandbox::Measurer* measurer) {
  if (measurer != nullptr) return absl::StrCat("sm_", measurer->gpu().architecture());
  return absl::StrCat("sm_", gpu.compute_major, gpu.compute_minor);
}

absl::StatusOr<analyzers::GpuSheet> SheetFor(const config::v1::ServerConfig& config,
                                             const sandbox::Measurer* measurer) {
  if (measurer != nullptr) {
    absl::StatusOr<analyzers::GpuSheet> sheet = analyzers::FindGpuSheetByDeviceName(measurer->gpu().name());
    if (sheet.ok()) return sheet;
  }
  return analyzers::FindGpuSheet(config.modeled_gpu());
}

}  // namespace cudaperf::server
