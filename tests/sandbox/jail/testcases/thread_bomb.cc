// Starts threads until it cannot, and prints how many there were.
#include <pthread.h>
#include <unistd.h>

#include <cstdio>

int main() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 10);
  int count = 0;
  pthread_t thread;
  const auto wait = [](void*) -> void* {
    while (true) pause();
  };
  while (count < 100000 && pthread_create(&thread, &attributes, wait, nullptr) == 0) ++count;
  printf("%d", count);
  fflush(stdout);
  _exit(0);
}
