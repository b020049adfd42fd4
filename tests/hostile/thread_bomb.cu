// what: starts threads that never end, for ever
// task: saxpy
// expect: OUTCOME_TIMED_OUT OUTCOME_CRASHED
#include <pthread.h>
#include <unistd.h>

__global__ void add_scaled(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 65536);
  for (;;) {
    pthread_t thread;
    pthread_create(&thread, &attributes, [](void*) -> void* { for (;;) pause(); }, nullptr);
  }
}
