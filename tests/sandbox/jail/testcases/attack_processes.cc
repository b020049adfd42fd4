// Tries to see, read, trace and signal its parent and each process that it is given; prints what it could.
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>

namespace {

void Attack(pid_t pid) {
  for (const char* name : {"/environ", "/maps", "/mem", "/cmdline", "/status"}) {
    char byte;
    const int file = open(("/proc/" + std::to_string(pid) + name).c_str(), O_RDONLY);
    if (file >= 0 && read(file, &byte, 1) == 1) printf("read%s ", name);
  }
  char here[1];
  iovec local{here, 1};
  iovec remote{reinterpret_cast<void*>(0x400000), 1};
  if (process_vm_readv(pid, &local, 1, &remote, 1, 0) == 1) printf("vm_readv ");
  if (ptrace(PTRACE_ATTACH, pid, nullptr, nullptr) == 0) printf("ptrace ");
  if (syscall(SYS_pidfd_open, pid, 0) >= 0) printf("pidfd ");
  if (kill(pid, 0) == 0) printf("signal ");
  if (syscall(SYS_tgkill, pid, pid, 0) == 0) printf("tgkill ");
}

}  // namespace

int main(int argc, char** argv) {
  Attack(getppid() > 0 ? getppid() : 1);
  for (int i = 1; i < argc; ++i) Attack(atoi(argv[i]));
  fflush(stdout);
  kill(getppid(), SIGKILL);
  printf("alive");
}
