#ifndef CUDAPERF_SANDBOX_RUNTIME_PROGRAM_REGISTRY_H_
#define CUDAPERF_SANDBOX_RUNTIME_PROGRAM_REGISTRY_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "cudaperf/worker/v1/device.pb.h"
#include "sandbox/device/device_client.h"

namespace cudaperf::sandbox {

// What the code that nvcc puts in front of `main` registers: fat binaries, kernels and device variables; loads a fat
// binary's PTX into the device when something of it is first used. Not thread-safe.
class ProgramRegistry {
 public:
  struct Binary {
    // nvcc's fat binary, in the candidate's own data.
    const void* fatbin = nullptr;
    // Set when loaded.
    int32_t module = 0;
    std::map<std::string, worker::v1::KernelSignature> signatures;
    // Registers per thread by kernel, from the cubin beside the PTX; empty without one.
    std::map<std::string, int> register_counts;
  };
  struct Function {
    Binary* binary = nullptr;
    std::string name;
    // cudaFuncAttributeMaxDynamicSharedMemorySize; -1 until set.
    int64_t dynamic_shared_limit_bytes = -1;
  };
  struct Variable {
    Binary* binary = nullptr;
    std::string name;
    // Set when found on the device.
    uint64_t address = 0;
    int64_t size_bytes = 0;
  };

  Binary* AddBinary(const void* fatbin);
  // Forgets it with all its kernels and variables.
  void RemoveBinary(Binary* binary);
  void AddFunction(Binary* binary, const void* host, absl::string_view name);
  void AddVariable(Binary* binary, const void* host, absl::string_view name);

  // `host` is the stub's address or a handle, which is the Function's own address. Null when unknown.
  Function* FindFunction(const void* host);
  Variable* FindVariable(const void* host);

  // Loads the binary unless it is loaded. UNIMPLEMENTED when the device cannot read its PTX, or when there is none.
  absl::Status Load(Binary* binary, DeviceClient* device);
  // The kernel's signature, loading its binary; null when its PTX does not have it.
  absl::StatusOr<const worker::v1::KernelSignature*> Signature(Function* function, DeviceClient* device);
  // Looks up the variable's address, loading its binary.
  absl::Status Locate(Variable* variable, DeviceClient* device);
  // Everything is loaded afresh when next used.
  void ForgetLoaded();

 private:
  std::deque<std::unique_ptr<Binary>> binaries_;
  std::map<const void*, std::unique_ptr<Function>> functions_;
  std::map<const void*, Function*> handles_;
  std::map<const void*, Variable> variables_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_RUNTIME_PROGRAM_REGISTRY_H_
