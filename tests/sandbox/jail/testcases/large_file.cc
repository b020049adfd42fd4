// Writes one file until a limit stops it.
#include <fcntl.h>
#include <unistd.h>

#include <vector>

int main() {
  const std::vector<char> mebibyte(1 << 20, 'x');
  const int file = open("large", O_CREAT | O_WRONLY, 0600);
  while (write(file, mebibyte.data(), mebibyte.size()) > 0) {
  }
  return 7;
}
