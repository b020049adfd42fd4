#ifndef CUDAPERF_TESTS_TEST_PATHS_H_
#define CUDAPERF_TESTS_TEST_PATHS_H_

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace cudaperf::tests {

// Value of an environment variable, or `otherwise`.
inline std::string Setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

// Where a test finds tasks/ and the files under tests/. Tests in a bundle are told by variables of the macros' names.
inline std::string SourceFolder() { return Setting("CUDAPERF_SOURCE_DIR", CUDAPERF_SOURCE_DIR); }

// Where it finds bin/ and tests/ with what was built.
inline std::string BinaryFolder() { return Setting("CUDAPERF_BINARY_DIR", CUDAPERF_BINARY_DIR); }

// The CUDA toolkit; `built_with` without a CUDAToolkit_ROOT in the environment.
inline std::string ToolkitFolder(const char* built_with = "/usr/local/cuda") {
  return Setting("CUDAToolkit_ROOT", built_with);
}

inline constexpr const char* kNoGpu = "this machine has no NVIDIA GPU: /dev/nvidiactl is missing";

// Whether a daemon with `--device=device` can be tried here.
inline bool HasDevice(const std::string& device) {
  return device == "emulated" || access("/dev/nvidiactl", F_OK) == 0;
}

}  // namespace cudaperf::tests

#endif  // CUDAPERF_TESTS_TEST_PATHS_H_
