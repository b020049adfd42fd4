// what: hands the device PTX of its own, which no compiler of ours has seen, and launches a kernel from it
// task: saxpy
// expect: OUTCOME_REJECTED
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

// Sends one request behind its header and reads the answer.
static void Ask(int device, const unsigned char* request, unsigned char size) {
  const unsigned char header[8] = {size};
  unsigned char answer[4096];
  if (write(device, header, sizeof(header)) < 0 || write(device, request, size) < 0) return;
  if (read(device, answer, sizeof(answer)) < 0) return;
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (n > 0) add_scaled<<<(n + 255) / 256, 256>>>(n, a, x, y);
  const char* name = getenv("CUDAPERF_DEVICE_FD");
  if (name == nullptr) return;
  const char ptx[] = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry smuggled()\n{\nret;\n}\n";
  // DeviceRequest { load_module { ptx } }
  unsigned char load[128] = {0x52, sizeof(ptx) + 1, 0x0a, sizeof(ptx) - 1};
  memcpy(load + 4, ptx, sizeof(ptx) - 1);
  Ask(atoi(name), load, sizeof(ptx) + 3);
  // DeviceRequest { launch { module: M kernel: "smuggled" grid: 1 block: 1 } }, for the number the module may have got.
  for (unsigned char module = 1; module < 4; ++module) {
    unsigned char launch[] = {0x5a, 18,  0x08, module, 0x12, 8,    's', 'm', 'u',  'g',
                              'g',  'l', 'e',  'd',    0x1a, 1,    1,   0x22, 1,   1};
    Ask(atoi(name), launch, sizeof(launch));
  }
}
