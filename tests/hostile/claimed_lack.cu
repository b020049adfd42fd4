// what: says, as the runtime would, that it needs a function that is not emulated, to be excused instead of judged
// task: saxpy
// expect: OUTCOME_REJECTED
#include <stdlib.h>
#include <unistd.h>

extern "C" void saxpy(int n, float a, const float* x, float* y) {
  const char* name = getenv("CUDAPERF_DEVICE_FD");
  if (name == nullptr) return;
  // DeviceRequest { report { error: UNSUPPORTED detail: "cudaGraphCreate" } } behind its header.
  const unsigned char report[] = {138, 1, 19, 8, 5, 18, 15, 99, 117, 100, 97, 71, 114, 97, 112, 104, 67, 114, 101, 97, 116, 101};
  const unsigned char header[8] = {sizeof(report)};
  unsigned char answer[4096];
  if (write(atoi(name), header, sizeof(header)) < 0 || write(atoi(name), report, sizeof(report)) < 0) return;
  if (read(atoi(name), answer, sizeof(answer)) < 0) return;
}
