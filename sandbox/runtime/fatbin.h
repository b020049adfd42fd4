#ifndef CUDAPERF_SANDBOX_RUNTIME_FATBIN_H_
#define CUDAPERF_SANDBOX_RUNTIME_FATBIN_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace cudaperf::sandbox {

// One image of a fat binary, in place.
struct FatbinImage {
  enum class Kind { kPtx, kCubin };
  Kind kind = Kind::kPtx;
  // Compute capability times ten.
  int architecture = 0;
  // PTX without the padding behind it.
  absl::string_view content;
};

// Length in bytes of the fat binary that starts with these 16 bytes: header and images. INVALID_ARGUMENT when they are
// not the header of one.
absl::StatusOr<size_t> FatbinBytes(absl::string_view header);

// Lists the images of a fat binary, whose layout is nvcc's: a header of 16 bytes, then images, each with a header of
// its own that tells both lengths. INVALID_ARGUMENT when a length leads outside; UNIMPLEMENTED for compressed images.
absl::StatusOr<std::vector<FatbinImage>> ListFatbinImages(absl::string_view fatbin);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_RUNTIME_FATBIN_H_
