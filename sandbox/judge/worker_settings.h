#ifndef CUDAPERF_SANDBOX_JUDGE_WORKER_SETTINGS_H_
#define CUDAPERF_SANDBOX_JUDGE_WORKER_SETTINGS_H_

#include <cstdint>
#include <string>

#include "cudaperf/reward/v1/evaluation.pb.h"
#include "cudaperf/reward/v1/report.pb.h"
#include "sandbox/jail/jailed_process.h"

namespace cudaperf::sandbox {

// What the judge's workers have in common.
struct WorkerSettings {
  // Folder of the `cudaperf-*` binaries.
  std::string worker_directory;
  // Folder of the emulated CUDA runtime, `libcudart.so.13`.
  std::string runtime_directory;
  // CUDA toolkit folder; GPU runners load its libraries.
  std::string toolkit_root;
  // What GPU runners get a profiler ready for; NONE for none.
  reward::v1::ProfileLevel profile_level = reward::v1::PROFILE_LEVEL_NONE;
  reward::v1::SandboxLevel level = reward::v1::SANDBOX_LEVEL_FULL;
  // Host memory of one worker tree.
  int64_t worker_memory_bytes = int64_t{4} << 30;
  // Compute capability times ten.
  int architecture = 90;
  int thread_count = 1;
};

// A jail for the worker of this name: no network, no files but its own, no forking.
inline JailOptions WorkerJail(const WorkerSettings& settings, const std::string& name) {
  JailOptions options;
  options.level = settings.level;
  options.argv = {settings.worker_directory + "/" + name};
  options.readable_paths = {options.argv[0]};
  options.limits.memory_bytes = settings.worker_memory_bytes;
  options.limits.process_count = 16 + settings.thread_count;
  return options;
}

// `ended by signal 11 (Segmentation fault)`, `exited with status 3`, ...
std::string DescribeEnd(const ProcessEnd& end);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_WORKER_SETTINGS_H_
