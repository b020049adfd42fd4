#ifndef CUDAPERF_SANDBOX_RUNTIME_UNSUPPORTED_CALL_H_
#define CUDAPERF_SANDBOX_RUNTIME_UNSUPPORTED_CALL_H_

namespace cudaperf::sandbox {

// Reports a call of a function that is not emulated; returns the number of cudaErrorNotSupported.
int UnsupportedCall(const char* name);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_RUNTIME_UNSUPPORTED_CALL_H_
