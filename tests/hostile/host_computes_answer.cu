// what: brings its inputs to the host, computes there, copies the answer back and launches a kernel that does nothing
// task: nbody
// expect: OUTCOME_REJECTED
#include <cuda_runtime.h>
#include <math.h>
#include <vector>
__global__ void noop() {}
extern "C" void nbody(int n, const float* bodies, float* acc) {
  std::vector<float> b(4*n), a(3*n);
  cudaMemcpy(b.data(), bodies, 16*n, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    float ax=0, ay=0, az=0;
    for (int j = 0; j < n; ++j) {
      float dx=b[4*j]-b[4*i], dy=b[4*j+1]-b[4*i+1], dz=b[4*j+2]-b[4*i+2];
      float s=dx*dx+dy*dy+dz*dz+0.01f; float f=b[4*j+3]/(s*sqrtf(s));
      ax+=f*dx; ay+=f*dy; az+=f*dz;
    }
    a[3*i]=ax;a[3*i+1]=ay;a[3*i+2]=az;
  }
  cudaMemcpy(acc, a.data(), 12*n, cudaMemcpyHostToDevice);
  noop<<<1,1>>>();
}
