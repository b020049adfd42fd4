#ifndef CUDAPERF_SANDBOX_COMPILE_COMPILE_JAIL_H_
#define CUDAPERF_SANDBOX_COMPILE_COMPILE_JAIL_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "cudaperf/reward/v1/evaluation.pb.h"
#include "sandbox/jail/jailed_process.h"
#include "sandbox/worker/frame_channel.h"

namespace cudaperf::sandbox {

// What all jails of the compiler have in common.
struct CompileJailOptions {
  // Folder of the `cudaperf-*` binaries.
  std::string worker_directory;
  // Toolkit folder, links resolved.
  std::string toolkit_root;
  reward::v1::SandboxLevel level = reward::v1::SANDBOX_LEVEL_FULL;
  // Of one compilation.
  int64_t memory_bytes = int64_t{4} << 30;
  // e.g. `sm_90`.
  std::string architecture = "sm_90";
};

// A jailed `cudaperf-compiler` and the channel to it.
struct CompileJail {
  std::unique_ptr<JailedProcess> process;
  FrameChannel channel;
};

// Starts `cudaperf-compiler` with `arguments`, in a jail that reads the system and the toolkit and may start processes.
absl::StatusOr<CompileJail> StartCompileJail(const CompileJailOptions& options, std::vector<std::string> arguments,
                                             JailLimits limits, JailOptions::Scratch scratch);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_COMPILE_COMPILE_JAIL_H_
