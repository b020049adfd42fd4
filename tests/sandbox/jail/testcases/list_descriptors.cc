// Prints the numbers of its open descriptors.
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

int main() {
  for (int fd = 0; fd < 4096; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) printf("%d ", fd);
  }
}
