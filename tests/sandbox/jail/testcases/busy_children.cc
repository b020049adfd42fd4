// Starts short children one after the other, for ever: none of them takes much processor time, all together do.
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main() {
  while (true) {
    const pid_t child = fork();
    if (child == 0) {
      while (clock() < CLOCKS_PER_SEC / 50) {
      }
      _exit(0);
    }
    if (child > 0) waitpid(child, nullptr, 0);
  }
}
