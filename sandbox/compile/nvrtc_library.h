#ifndef CUDAPERF_SANDBOX_COMPILE_NVRTC_LIBRARY_H_
#define CUDAPERF_SANDBOX_COMPILE_NVRTC_LIBRARY_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace cudaperf::sandbox {

// NVRTC, opened at run time from a toolkit folder. Nothing of CUDA is linked. Thread-compatible.
class NvrtcLibrary {
 public:
  struct Output {
    bool succeeded = false;
    // NVRTC's own name for what happened.
    std::string result;
    bool out_of_memory = false;
    bool internal_error = false;
    // At most 1 MiB of it.
    std::string log;
    std::string ptx;
    std::string cubin;
  };

  // NOT_FOUND when the folder holds no NVRTC that can be opened.
  static absl::StatusOr<NvrtcLibrary> Open(const std::string& toolkit_root);

  // Compiles hostile source, which may include StandardHeaders(), in this very process: call it in a jail only.
  Output Compile(const std::string& source, const std::string& file_name,
                 const std::vector<std::string>& options) const;

 private:
  struct Functions;
  explicit NvrtcLibrary(const Functions* functions) : functions_(functions) {}

  // Lives as long as the process, as the library does.
  const Functions* functions_;
};

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_COMPILE_NVRTC_LIBRARY_H_
