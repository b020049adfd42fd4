// Takes memory, and touches it, until there is no more.
#include <cstring>

int main() {
  constexpr unsigned long kStep = 1 << 20;
  while (true) {
    char* step = new char[kStep];
    memset(step, 1, kStep);
  }
}
