// what: traps on the device
// task: saxpy
// expect: OUTCOME_MEMORY_FAULT
// cudaperf: launch trapping<<<1, 32>>>(n, y)
__global__ void trapping(int n, float* y) {
  y[0] = n;
  __trap();
}
