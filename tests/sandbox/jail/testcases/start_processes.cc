// Tries every way to start a process or another program; prints those that worked.
#include <fcntl.h>
#include <linux/sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace {

void Report(const char* name, long pid) {
  if (pid == 0) _exit(0);
  if (pid > 0) printf("%s ", name);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "again") == 0) {
    printf("executed ");
    return 0;
  }
  Report("fork", syscall(SYS_fork));
  Report("clone", syscall(SYS_clone, 17, 0, 0, 0, 0));
  clone_args arguments{};
  arguments.exit_signal = 17;
  Report("clone3", syscall(SYS_clone3, &arguments, sizeof(arguments)));
  // What only names the descriptor's number: put a program where the jail had it.
  const int program = open("/proc/self/exe", O_RDONLY);
  char name[] = "program";
  char again[] = "again";
  char* again_argv[] = {name, again, nullptr};
  char* no_environment[] = {nullptr};
  fflush(stdout);
  for (int fd = 200; fd < 400; ++fd) {
    if (dup2(program, fd) == fd) syscall(SYS_execveat, fd, "", again_argv, no_environment, AT_EMPTY_PATH);
  }
  execve("/proc/self/exe", again_argv, no_environment);
  execve("/bin/true", again_argv, no_environment);
}
