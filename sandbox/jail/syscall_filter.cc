#include "sandbox/jail/syscall_filter.h"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

namespace cudaperf::sandbox {
namespace {

// Calls that no program in a jail needs: looking into other processes, the kernel's large attack surfaces, mounts and
// namespaces, keys, memory that no limit counts (System V), clocks, modules, anything that opens a socket.
constexpr const char* kForbiddenCalls[] = {"ptrace",
                                           "process_vm_readv",
                                           "process_vm_writev",
                                           "process_madvise",
                                           "process_mrelease",
                                           "kcmp",
                                           "pidfd_open",
                                           "pidfd_getfd",
                                           "pidfd_send_signal",
                                           "bpf",
                                           "perf_event_open",
                                           "io_uring_setup",
                                           "io_uring_enter",
                                           "io_uring_register",
                                           "io_setup",
                                           "keyctl",
                                           "add_key",
                                           "request_key",
                                           "userfaultfd",
                                           "mount",
                                           "umount",
                                           "umount2",
                                           "pivot_root",
                                           "chroot",
                                           "fsopen",
                                           "fsconfig",
                                           "fsmount",
                                           "fspick",
                                           "open_tree",
                                           "move_mount",
                                           "mount_setattr",
                                           "unshare",
                                           "setns",
                                           "kexec_load",
                                           "kexec_file_load",
                                           "init_module",
                                           "finit_module",
                                           "delete_module",
                                           "create_module",
                                           "personality",
                                           "connect",
                                           "accept",
                                           "accept4",
                                           "memfd_secret",
                                           "shmget",
                                           "shmat",
                                           "shmctl",
                                           "semget",
                                           "msgget",
                                           "mq_open",
                                           "fanotify_init",
                                           "inotify_init",
                                           "inotify_init1",
                                           "name_to_handle_at",
                                           "open_by_handle_at",
                                           "quotactl",
                                           "quotactl_fd",
                                           "acct",
                                           "swapon",
                                           "swapoff",
                                           "reboot",
                                           "syslog",
                                           "sethostname",
                                           "setdomainname",
                                           "settimeofday",
                                           "clock_settime",
                                           "clock_adjtime",
                                           "adjtimex",
                                           "stime",
                                           "iopl",
                                           "ioperm",
                                           "modify_ldt",
                                           "vhangup",
                                           "lookup_dcookie",
                                           "nfsservctl",
                                           "uselib",
                                           "ustat",
                                           "sysfs",
                                           "_sysctl",
                                           "mbind",
                                           "migrate_pages",
                                           "move_pages",
                                           "set_mempolicy",
                                           "set_mempolicy_home_node",
                                           "mlock",
                                           "mlock2",
                                           "mlockall",
                                           "chown",
                                           "fchown",
                                           "lchown",
                                           "fchownat",
                                           "setxattr",
                                           "lsetxattr",
                                           "fsetxattr",
                                           "mknod",
                                           "mknodat",
                                           "vmsplice",
                                           "ioprio_set",
                                           "sched_setscheduler",
                                           "sched_setattr",
                                           "rt_sigqueueinfo",
                                           "rt_tgsigqueueinfo",
                                           "tkill"};

constexpr uint64_t kNamespaceFlags[] = {CLONE_NEWNS,  CLONE_NEWUTS, CLONE_NEWIPC,    CLONE_NEWUSER,
                                        CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWCGROUP, CLONE_PTRACE};

struct Release {
  void operator()(void* context) const { seccomp_release(context); }
};

// Adds rules and remembers whether any of them failed.
class FilterBuilder {
 public:
  FilterBuilder() : context_(seccomp_init(SCMP_ACT_ALLOW)) {
    ok_ = context_ != nullptr && seccomp_attr_set(context_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0;
    // A binary tree: the filter runs at every call.
    ok_ = ok_ && seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2) == 0;
  }

  template <typename... Comparisons>
  void Deny(const char* call, int error, Comparisons... comparisons) {
    const int number = seccomp_syscall_resolve_name(call);
    // Unknown to this library or this architecture: newer calls are denied where libseccomp knows them.
    if (number == __NR_SCMP_ERROR || number < 0) return;
    ok_ = ok_ &&
          seccomp_rule_add(context_.get(), SCMP_ACT_ERRNO(error), number, sizeof...(comparisons), comparisons...) == 0;
  }

  bool Load() { return ok_ && seccomp_load(context_.get()) == 0; }

 private:
  std::unique_ptr<void, Release> context_;
  bool ok_ = false;
};

void DenyNewProcesses(FilterBuilder& filter, int exec_fd) {
  filter.Deny("fork", EPERM);
  filter.Deny("vfork", EPERM);
  filter.Deny("clone", EPERM, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
  filter.Deny("execve", EPERM);
  if (exec_fd >= 0) {
    filter.Deny("execveat", EPERM, SCMP_A0_32(SCMP_CMP_NE, static_cast<uint32_t>(exec_fd)));
  } else {
    filter.Deny("execveat", EPERM);
  }
  // A process that is alone has nobody but itself to signal.
  const auto self = static_cast<uint32_t>(getpid());
  filter.Deny("kill", EPERM, SCMP_A0_32(SCMP_CMP_NE, self));
  filter.Deny("tgkill", EPERM, SCMP_A0_32(SCMP_CMP_NE, self));
}

}  // namespace

bool InstallSyscallFilter(ProcessRule rule, DriverRule driver, int exec_fd) {
  FilterBuilder filter;
  if (driver == DriverRule::kAbsent) {
    for (const char* call : {"memfd_create", "socket", "bind", "listen"}) filter.Deny(call, EPERM);
  } else {
    filter.Deny("socket", EPERM, SCMP_A0_32(SCMP_CMP_NE, AF_UNIX));
  }
  for (const char* call : kForbiddenCalls) filter.Deny(call, EPERM);
  filter.Deny("clone3", ENOSYS);
  if (rule == ProcessRule::kThreadsOnly) DenyNewProcesses(filter, exec_fd);
  for (uint64_t flag : kNamespaceFlags) filter.Deny("clone", EPERM, SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag));
  filter.Deny("socketpair", EPERM, SCMP_A0_32(SCMP_CMP_NE, AF_UNIX));
  // Typing into the starter's terminal.
  filter.Deny("ioctl", EPERM, SCMP_A1_32(SCMP_CMP_EQ, TIOCSTI));
  filter.Deny("ioctl", EPERM, SCMP_A1_32(SCMP_CMP_EQ, TIOCLINUX));
  // Limits of its own only, and those can but shrink.
  filter.Deny("prlimit64", EPERM, SCMP_A0(SCMP_CMP_NE, 0));
  filter.Deny("prctl", EPERM, SCMP_A0_32(SCMP_CMP_EQ, PR_SET_PDEATHSIG));
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && filter.Load();
}

}  // namespace cudaperf::sandbox
