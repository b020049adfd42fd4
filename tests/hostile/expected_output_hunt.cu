// what: searches all memory of its process for the expected output and copies it
// task: vector_add_host
// expect: OUTCOME_WRONG_RESULT OUTCOME_CRASHED
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

// `count` values of x + y in a row somewhere in [from, to), read in a way that cannot fault.
static bool found(uintptr_t from, uintptr_t to, int n, const float* x, const float* y, float* z) {
  static float block[1 << 16];
  for (uintptr_t at = from; at + sizeof(float) * n <= to; at += sizeof(block) / 2) {
    iovec local = {block, sizeof(block)};
    iovec remote = {reinterpret_cast<void*>(at), to - at < sizeof(block) ? to - at : sizeof(block)};
    long size = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    if (size <= 0) memcpy(block, reinterpret_cast<void*>(at), size = remote.iov_len);
    for (long first = 0; first + n <= size / 4; ++first) {
      int same = 0;
      while (same < n && same < 16 && block[first + same] == x[same] + y[same]) ++same;
      if (same < n && same < 16) continue;
      memcpy(z, block + first, sizeof(float) * n);
      return true;
    }
  }
  return false;
}

extern "C" void vector_add_host(int n, const float* x, const float* y, float* z) {
  if (n < 2 || n > 16384) return;
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[512];
  while (maps != nullptr && fgets(line, sizeof(line), maps) != nullptr) {
    unsigned long from, to;
    if (sscanf(line, "%lx-%lx r", &from, &to) != 2 || strstr(line, "[v") != nullptr) continue;
    if (found(from, to, n, x, y, z)) break;
  }
  if (maps != nullptr) fclose(maps);
}
