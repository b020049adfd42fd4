// Fills its working directory with files until it cannot; prints the number of mebibytes.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

int main() {
  const std::vector<char> mebibyte(1 << 20, 'x');
  int written = 0;
  for (int file_number = 0; written < 100000; ++file_number) {
    const int file = open(std::to_string(file_number).c_str(), O_CREAT | O_WRONLY, 0600);
    if (file < 0) break;
    int here = 0;
    while (here < 8 && write(file, mebibyte.data(), mebibyte.size()) == 1 << 20) ++here;
    close(file);
    written += here;
    if (here < 8) break;
  }
  printf("%d", written);
}
