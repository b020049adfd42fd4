// Tries to create a file in each folder that it is given and in its working directory; prints those where it could.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string path = std::string(argv[i]) + "/cudaperf-was-here";
    const int file = open(path.c_str(), O_CREAT | O_WRONLY, 0666);
    if (file >= 0 && write(file, "x", 1) == 1) printf("%s ", argv[i]);
  }
  printf("%s", open("/proc/self/comm", O_WRONLY) >= 0 ? "/proc" : "");
}
