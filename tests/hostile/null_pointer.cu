// what: reads address 0 on the device
// task: transpose
// expect: OUTCOME_MEMORY_FAULT
// cudaperf: launch nothing<<<1, 1>>>(0, out)
__global__ void nothing(const int* in, int* out) { out[0] = in[0]; }
