// what: hands out uninitialised scratch memory
// task: transpose
// expect: OUTCOME_WRONG_RESULT
// cudaperf: scratch int found[rows * cols]
// cudaperf: launch handing<<<ceil_div(rows * cols, 256), 256>>>(rows * cols, found, out)
__global__ void handing(int count, const int* found, int* out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < count) out[i] = found[i];
}
