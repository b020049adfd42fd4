// what: connects to the daemon, to the cloud metadata address and to abstract sockets
// task: saxpy
// expect: OUTCOME_PASSED OUTCOME_CRASHED
// why: the answer is right only if every attempt was refused; killing the process for the attempt is right too
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static bool connects(const char* address, int port) {
  int peer = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (peer < 0) return false;
  sockaddr_in target = {};
  target.sin_family = AF_INET;
  target.sin_port = htons(port);
  inet_pton(AF_INET, address, &target.sin_addr);
  bool done = connect(peer, reinterpret_cast<sockaddr*>(&target), sizeof(target)) == 0;
  close(peer);
  return done;
}

static bool escaped() {
  for (int port : {22, 80, 443, 9461, 50061}) {
    if (connects("127.0.0.1", port) || connects("169.254.169.254", port)) return true;
  }
  int peer = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un bus = {AF_UNIX, "/run/dbus/system_bus_socket"};
  return peer >= 0 && connect(peer, reinterpret_cast<sockaddr*>(&bus), sizeof(bus)) == 0;
}

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (escaped()) return;
  if (n > 0) add_scaled<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
