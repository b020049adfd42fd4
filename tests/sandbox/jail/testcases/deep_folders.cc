// Leaves folders in folders, deeper than any path can name, links among them; prints its working directory first.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

int main() {
  printf("%s", getcwd(nullptr, 0));
  fflush(stdout);
  for (int i = 0; i < 700; ++i) {
    if (symlink("/etc", "link") != 0 || mkdir("folder", 0700) != 0 || chdir("folder") != 0) return 1;
  }
  close(open("file", O_CREAT | O_WRONLY, 0600));
  chmod(".", 0);
}
