// Tries to read each file, or list each folder, that it is given; prints those where it could.
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    char byte;
    const int file = open(argv[i], O_RDONLY);
    DIR* folder = opendir(argv[i]);
    const bool listed = folder != nullptr && readdir(folder) != nullptr;
    if ((file >= 0 && read(file, &byte, 1) == 1) || listed) printf("%s ", argv[i]);
  }
}
