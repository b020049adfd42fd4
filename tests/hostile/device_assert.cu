// what: fails an assertion on the device
// task: saxpy
// expect: OUTCOME_MEMORY_FAULT
// cudaperf: launch asserting<<<1, 32>>>(n, y)
extern "C" __device__ void __assertfail(const char* message, const char* file, unsigned line, const char* function,
                                        decltype(sizeof(0)) character_size);

__global__ void asserting(int n, float* y) {
  if (y[0] != 12345.0f + n) __assertfail("y[0] == 12345.0f + n", "candidate.cu", 9, "asserting", 1);
}
