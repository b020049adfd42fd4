#include "sandbox/runner/shared_object.h"

#include <dlfcn.h>

#include <cstddef>
#include <deque>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "sandbox/device/shared_mapping.h"

namespace cudaperf::sandbox {
namespace {

using worker::v1::InvokeRequest;
using worker::v1::InvokeResponse;
using worker::v1::RunnerArgument;

constexpr char kEntry[] = "cudaperf_invoke";

// The symbol in the dynamic linker's complaint `PATH: undefined symbol: NAME, version ...`; empty when it is another
// one.
std::string UndefinedSymbol(absl::string_view complaint) {
  constexpr absl::string_view kMarker = "undefined symbol: ";
  const size_t marker = complaint.find(kMarker);
  if (marker == absl::string_view::npos) return "";
  absl::string_view name = complaint.substr(marker + kMarker.size());
  return std::string(name.substr(0, name.find_first_of(", \n")));
}

// The values and the memory that one call's arguments point to.
class ArgumentList {
 public:
  // Returns what is wrong, or nothing.
  std::string Add(const RunnerArgument& argument, const std::vector<UniqueFd>& memory) {
    if (argument.has_value()) {
      // Deques keep their elements in place; each value starts at maximal alignment.
      Value& value = values_.emplace_back();
      if (argument.value().size() > sizeof(value.bytes)) return "argument is longer than 64 bytes";
      argument.value().copy(value.bytes, argument.value().size());
      pointers_.push_back(value.bytes);
      return "";
    }
    if (next_memory_ >= memory.size()) return "fewer descriptors than buffers";
    absl::StatusOr<SharedMapping> mapping = SharedMapping::Map(
        memory[next_memory_++].get(), argument.buffer().size_bytes(),
        argument.buffer().read_only() ? SharedMapping::Access::kPrivate : SharedMapping::Access::kReadWrite);
    if (!mapping.ok()) return std::string(mapping.status().message());
    mappings_.push_back(*std::move(mapping));
    pointers_.push_back(&addresses_.emplace_back(mappings_.back().address()));
    return "";
  }

  void** pointers() { return pointers_.data(); }

 private:
  struct Value {
    alignas(std::max_align_t) char bytes[64] = {};
  };

  size_t next_memory_ = 0;
  std::deque<Value> values_;
  std::deque<SharedMapping> mappings_;
  std::deque<void*> addresses_;
  std::vector<void*> pointers_;
};

}  // namespace

SharedObject::SharedObject(const char* path) {
  handle_ = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (handle_ != nullptr) invoke_ = reinterpret_cast<InvokeFunction>(dlsym(handle_, kEntry));
  if (invoke_ != nullptr) return;
  const char* complaint = dlerror();
  load_error_ = complaint == nullptr ? "cannot be loaded" : complaint;
}

InvokeResponse SharedObject::Invoke(const InvokeRequest& request, const std::vector<UniqueFd>& memory) {
  InvokeResponse response;
  if (invoke_ == nullptr) {
    response.set_error(load_error_);
    response.set_unresolved_symbol(UndefinedSymbol(load_error_));
    return response;
  }
  ArgumentList arguments;
  for (int i = 0; i < request.arguments_size(); ++i) {
    if (std::string error = arguments.Add(request.arguments(i), memory); !error.empty()) {
      response.set_error(absl::StrCat("argument ", i, ": ", error));
      return response;
    }
  }
  invoke_(arguments.pointers());
  response.set_error(Synchronize());
  return response;
}

std::string SharedObject::Synchronize() {
  // Found only where the object depends on the CUDA runtime.
  using SynchronizeFunction = int (*)();
  using ErrorTextFunction = const char* (*)(int);
  auto synchronize = reinterpret_cast<SynchronizeFunction>(dlsym(handle_, "cudaDeviceSynchronize"));
  auto error_text = reinterpret_cast<ErrorTextFunction>(dlsym(handle_, "cudaGetErrorString"));
  if (synchronize == nullptr || error_text == nullptr) return "";
  const int error = synchronize();
  return error == 0 ? "" : absl::StrCat("CUDA error ", error, ": ", error_text(error));
}

}  // namespace cudaperf::sandbox
