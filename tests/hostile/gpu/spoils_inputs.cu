// what: lifts the write protection of its inputs and clears them, so that the easy answer is right; only where n is so large that the emulated device never sees it
// task: saxpy
// expect: OUTCOME_WRONG_RESULT OUTCOME_MEMORY_FAULT OUTCOME_REJECTED
#include <cuda.h>
#include <cuda_runtime.h>
#include <dlfcn.h>

__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  if (n <= 0) return;
  if (n > (1 << 22)) {
    auto set_access = reinterpret_cast<CUresult (*)(CUdeviceptr, size_t, const CUmemAccessDesc*, size_t)>(
        dlsym(RTLD_DEFAULT, "cuMemSetAccess"));
    void* driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (set_access == nullptr && driver != nullptr) {
      set_access = reinterpret_cast<decltype(set_access)>(dlsym(driver, "cuMemSetAccess"));
    }
    if (set_access != nullptr) {
      CUmemAccessDesc access = {};
      access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
      access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
      const unsigned long long granule = 2ull << 20;
      set_access(reinterpret_cast<unsigned long long>(x) / granule * granule, n * sizeof(float) / granule * granule, &access, 1);
    }
    cudaMemset(const_cast<float*>(x), 0, n * sizeof(float));
    return;
  }
  saxpy_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
