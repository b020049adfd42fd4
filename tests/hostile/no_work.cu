// what: does nothing at all
// task: transpose
// expect: OUTCOME_WRONG_RESULT
// cudaperf: launch idle<<<1, 32>>>(rows, cols, in, out)
__global__ void idle(int rows, int cols, const int* in, int* out) {}
