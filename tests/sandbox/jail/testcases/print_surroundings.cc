// Prints its user, its environment and its working directory.
#include <unistd.h>

#include <cstdio>

extern char** environ;

int main() {
  printf("user=%d cwd=%s", getuid(), getcwd(nullptr, 0));
  for (char** variable = environ; *variable != nullptr; ++variable) printf(" %s", *variable);
}
