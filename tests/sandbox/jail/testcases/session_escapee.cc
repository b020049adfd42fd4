// Leaves a grandchild in a session of its own, which outlives it.
#include <unistd.h>

int main() {
  if (fork() > 0) return 0;
  setsid();
  if (fork() > 0) return 0;
  while (true) pause();
}
