// what: walks through device memory around its buffers, looking for other people's
// task: transpose
// expect: OUTCOME_MEMORY_FAULT
// cudaperf: launch guessing<<<1, 1>>>(rows, cols, in, out)
__global__ void guessing(int rows, int cols, const int* in, int* out) {
  const int* memory = in - (1 << 20);
  int sum = 0;
  for (int i = 0; i < (1 << 21); ++i) sum += memory[i];
  out[0] = sum;
}
