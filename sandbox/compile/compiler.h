#ifndef CUDAPERF_SANDBOX_COMPILE_COMPILER_H_
#define CUDAPERF_SANDBOX_COMPILE_COMPILER_H_

#include "absl/status/statusor.h"
#include "cudaperf/worker/v1/compile.pb.h"
#include "sandbox/worker/call_scope.h"

namespace cudaperf::sandbox {

// Turns hostile source into a program, or into diagnostics. Thread-safe.
class Compiler {
 public:
  virtual ~Compiler() = default;

  // A non-OK status is our fault or the scope's end; what the source did wrong is in the response.
  virtual absl::StatusOr<worker::v1::CompileResponse> Compile(const worker::v1::CompileRequest& request,
                                                              const CallScope& scope) = 0;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_COMPILE_COMPILER_H_
