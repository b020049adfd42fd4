// cudaperf-jail: runs one program in a jail. Started by JailedProcess only; see supervisor.h and tree_root.h.
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "sandbox/jail/jail_plan.h"
#include "sandbox/jail/supervisor.h"
#include "sandbox/jail/tree_root.h"

int main(int argc, char** argv) {
  using cudaperf::sandbox::JailPlan;
  const std::string_view phase = argc > 1 ? argv[1] : "";
  std::optional<JailPlan> plan = argc > 1 ? JailPlan::FromArguments(argc, argv) : std::nullopt;
  if (!plan || (phase != "supervise" && phase != "root")) {
    fprintf(stderr, "cudaperf-jail is started by the other programs of CudaPerf Reward, not by hand\n");
    return 2;
  }
  if (phase == "root") return cudaperf::sandbox::RunTreeRoot(*plan);
  char own_path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", own_path, sizeof(own_path));
  return cudaperf::sandbox::RunSupervisor(*std::move(plan), size > 0 ? std::string(own_path, size) : argv[0]);
}
