#include "server/toolkit.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace cudaperf::server {

std::string DefaultToolkitRoot() {
  if (const char* root = std::getenv("CUDAToolkit_ROOT"); root != nullptr && *root != '\0') return root;
  std::error_code ignored;
  return std::filesystem::exists(CUDAPERF_TOOLKIT_ROOT, ignored) ? CUDAPERF_TOOLKIT_ROOT : "/usr/local/cuda";
}

std::string ToolkitVersion(const std::string& root) {
  std::ifstream header(root + "/include/cuda.h");
  std::string line;
  while (std::getline(header, line)) {
    absl::string_view rest = line;
    int version = 0;
    if (!absl::ConsumePrefix(&rest, "#define CUDA_VERSION ") || !absl::SimpleAtoi(rest, &version)) continue;
    return absl::StrCat(version / 1000, ".", version % 1000 / 10);
  }
  return "";
}

}  // namespace cudaperf::server
