#ifndef CUDAPERF_SANDBOX_JAIL_SYSCALL_FILTER_H_
#define CUDAPERF_SANDBOX_JAIL_SYSCALL_FILTER_H_

namespace cudaperf::sandbox {

// Installs the jail's seccomp filter on the calling process, for good. Forbidden calls fail with EPERM (clone3 with
// ENOSYS, so that the C library falls back to clone); another architecture's calls kill the process.
//
// kThreadsOnly: no new process, and no exec but execveat(`exec_fd`). The caller makes that sound by giving the
// program a descriptor limit below `exec_fd`: it can then never hold that descriptor again. `exec_fd` -1: no exec at
// all.
//
// The CUDA driver does not start without memory files (memfd_create), which only the tree's memory limit counts, and
// without a Unix socket that it listens on. Connecting and accepting stay forbidden.
enum class ProcessRule { kThreadsOnly, kProcesses };
enum class DriverRule { kAbsent, kPresent };
bool InstallSyscallFilter(ProcessRule rule, DriverRule driver, int exec_fd);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JAIL_SYSCALL_FILTER_H_
