// Prints the numbers of its open descriptors.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

int main() {
  for (int fd = 0; fd < 4096; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) printf("%d ", fd);
  }
}
