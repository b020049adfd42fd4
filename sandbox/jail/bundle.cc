#include "sandbox/jail/bundle.h"

#include <unistd.h>

namespace cudaperf::sandbox {
namespace {

// Without the last component: `/a/b` -> `/a`, `/a` -> ``.
std::string Above(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

}  // namespace

std::string BundledLibraries(const std::string& program) {
  const std::string folder = Above(Above(program)) + "/lib/cudaperf-bundled";
  return access(folder.c_str(), F_OK) == 0 ? folder : "";
}

std::string ProgramBeside(const std::string& program, const std::string& name) {
  const std::string path = Above(program) + "/" + name;
  return access(path.c_str(), X_OK) == 0 ? path : "";
}

}  // namespace cudaperf::sandbox
