// Forks for ever, and so do its children.
#include <unistd.h>

int main() {
  while (true) fork();
}
