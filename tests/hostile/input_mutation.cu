// what: sets its input to zero so that zero would be the right answer
// task: transpose
// expect: OUTCOME_MEMORY_FAULT OUTCOME_WRONG_RESULT
// cudaperf: launch clearing<<<ceil_div(rows * cols, 256), 256>>>(rows, cols, in, out)
__global__ void clearing(int rows, int cols, int* in, int* out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < rows * cols) in[i] = out[i] = 0;
}
