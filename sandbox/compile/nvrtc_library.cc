#include "sandbox/compile/nvrtc_library.h"

#include <dlfcn.h>
#include <nvrtc.h>

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "sandbox/compile/standard_headers.h"

namespace cudaperf::sandbox {
namespace {

constexpr size_t kMaxLogBytes = 1 << 20;
constexpr size_t kMaxCodeBytes = 64 << 20;

}  // namespace

struct NvrtcLibrary::Functions {
  decltype(&nvrtcCreateProgram) create;
  decltype(&nvrtcDestroyProgram) destroy;
  decltype(&nvrtcCompileProgram) compile;
  decltype(&nvrtcGetErrorString) error_string;
  decltype(&nvrtcGetProgramLogSize) log_size;
  decltype(&nvrtcGetProgramLog) log;
  decltype(&nvrtcGetPTXSize) ptx_size;
  decltype(&nvrtcGetPTX) ptx;
  decltype(&nvrtcGetCUBINSize) cubin_size;
  decltype(&nvrtcGetCUBIN) cubin;
};

namespace {

template <typename Function>
bool Find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

template <typename Size, typename Get>
std::string Fetch(nvrtcProgram program, Size size_of, Get get, size_t limit) {
  size_t size = 0;
  if (size_of(program, &size) != NVRTC_SUCCESS || size == 0 || size > (size_t{1} << 32)) return "";
  std::string bytes(size, '\0');
  if (get(program, bytes.data()) != NVRTC_SUCCESS) return "";
  bytes.resize(std::min(size, limit));
  return bytes;
}

std::string WithoutEnd(std::string text) {
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

}  // namespace

absl::StatusOr<NvrtcLibrary> NvrtcLibrary::Open(const std::string& toolkit_root) {
  const std::string folder = absl::StrCat(toolkit_root, "/lib64/");
  // Its builtins are searched for by name only; loaded beforehand, they are found.
  dlopen(absl::StrCat(folder, "libnvrtc-builtins.so.13.0").c_str(), RTLD_NOW | RTLD_GLOBAL);
  void* library = dlopen(absl::StrCat(folder, "libnvrtc.so.13").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return absl::NotFoundError(absl::StrCat("NVRTC cannot be opened: ", dlerror()));
  Functions functions;
  const bool complete =
      Find(library, "nvrtcCreateProgram", functions.create) &&
      Find(library, "nvrtcDestroyProgram", functions.destroy) &&
      Find(library, "nvrtcCompileProgram", functions.compile) &&
      Find(library, "nvrtcGetErrorString", functions.error_string) &&
      Find(library, "nvrtcGetProgramLogSize", functions.log_size) &&
      Find(library, "nvrtcGetProgramLog", functions.log) && Find(library, "nvrtcGetPTXSize", functions.ptx_size) &&
      Find(library, "nvrtcGetPTX", functions.ptx) && Find(library, "nvrtcGetCUBINSize", functions.cubin_size) &&
      Find(library, "nvrtcGetCUBIN", functions.cubin);
  if (!complete) return absl::NotFoundError(absl::StrCat(folder, "libnvrtc.so.13 lacks functions of NVRTC 13"));
  return NvrtcLibrary(new Functions(functions));
}

NvrtcLibrary::Output NvrtcLibrary::Compile(const std::string& source, const std::string& file_name,
                                           const std::vector<std::string>& options) const {
  Output output;
  nvrtcProgram program = nullptr;
  std::vector<const char*> names;
  std::vector<const char*> texts;
  for (const StandardHeader& header : StandardHeaders()) {
    names.push_back(header.name);
    texts.push_back(header.text);
  }
  nvrtcResult result = functions_->create(&program, source.c_str(), file_name.c_str(), static_cast<int>(names.size()),
                                          texts.data(), names.data());
  if (result == NVRTC_SUCCESS) {
    std::vector<const char*> pointers;
    for (const std::string& option : options) pointers.push_back(option.c_str());
    result = functions_->compile(program, static_cast<int>(pointers.size()), pointers.data());
    output.log = WithoutEnd(Fetch(program, functions_->log_size, functions_->log, kMaxLogBytes));
  }
  output.succeeded = result == NVRTC_SUCCESS;
  output.result = functions_->error_string(result);
  output.out_of_memory = result == NVRTC_ERROR_OUT_OF_MEMORY;
  output.internal_error = result != NVRTC_SUCCESS && result != NVRTC_ERROR_COMPILATION;
  if (output.succeeded) {
    output.ptx = WithoutEnd(Fetch(program, functions_->ptx_size, functions_->ptx, kMaxCodeBytes));
    output.cubin = Fetch(program, functions_->cubin_size, functions_->cubin, kMaxCodeBytes);
  }
  if (program != nullptr) functions_->destroy(&program);
  return output;
}

}  // namespace cudaperf::sandbox
