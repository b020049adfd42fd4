// what: returns at once and lets a thread launch the kernel a second later
// task: saxpy
// expect: OUTCOME_WRONG_RESULT
#include <pthread.h>
#include <unistd.h>

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  static struct { int n; float a; const float* x; float* y; } late;
  late = {n, a, x, y};
  pthread_t thread;
  pthread_create(&thread, nullptr, [](void*) -> void* {
    sleep(1);
    if (late.n > 0) add_scaled<<<(late.n + 255) / 256, 256>>>(late.n, late.a, late.x, late.y);
    return nullptr;
  }, nullptr);
}
