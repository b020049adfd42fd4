// Ends by the signal that it is given.
#include <csignal>
#include <cstdlib>

int main(int, char** argv) {
  raise(atoi(argv[1]));
  return 0;
}
