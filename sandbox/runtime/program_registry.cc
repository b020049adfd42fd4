#include "sandbox/runtime/program_registry.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "sandbox/runtime/cubin_registers.h"
#include "sandbox/runtime/fatbin.h"

namespace cudaperf::sandbox {
namespace {

// What nvcc registers: points to the fat binary.
struct FatbinWrapper {
  int32_t magic;
  int32_t version;
  const char* fatbin;
  const void* unused;
};
constexpr int32_t kWrapperMagic = 0x466243b1;

absl::StatusOr<std::vector<FatbinImage>> Images(const void* wrapper) {
  const auto* fields = static_cast<const FatbinWrapper*>(wrapper);
  if (fields == nullptr || fields->magic != kWrapperMagic || fields->fatbin == nullptr) {
    return absl::InvalidArgumentError("not a fat binary's wrapper");
  }
  absl::StatusOr<size_t> size = FatbinBytes(absl::string_view(fields->fatbin, 16));
  if (!size.ok()) return size.status();
  return ListFatbinImages(absl::string_view(fields->fatbin, *size));
}

}  // namespace

ProgramRegistry::Binary* ProgramRegistry::AddBinary(const void* fatbin) {
  binaries_.push_back(std::make_unique<Binary>());
  binaries_.back()->fatbin = fatbin;
  return binaries_.back().get();
}

void ProgramRegistry::RemoveBinary(Binary* binary) {
  for (auto it = handles_.begin(); it != handles_.end();) {
    it = it->second->binary == binary ? handles_.erase(it) : std::next(it);
  }
  for (auto it = functions_.begin(); it != functions_.end();) {
    it = it->second->binary == binary ? functions_.erase(it) : std::next(it);
  }
  for (auto it = variables_.begin(); it != variables_.end();) {
    it = it->second.binary == binary ? variables_.erase(it) : std::next(it);
  }
  for (auto it = binaries_.begin(); it != binaries_.end(); ++it) {
    if (it->get() != binary) continue;
    binaries_.erase(it);
    return;
  }
}

void ProgramRegistry::AddFunction(Binary* binary, const void* host, absl::string_view name) {
  auto function = std::make_unique<Function>();
  function->binary = binary;
  function->name = std::string(name);
  handles_[function.get()] = function.get();
  functions_[host] = std::move(function);
}

void ProgramRegistry::AddVariable(Binary* binary, const void* host, absl::string_view name) {
  Variable& variable = variables_[host];
  variable.binary = binary;
  variable.name = std::string(name);
}

ProgramRegistry::Function* ProgramRegistry::FindFunction(const void* host) {
  if (auto found = functions_.find(host); found != functions_.end()) return found->second.get();
  auto handle = handles_.find(host);
  return handle == handles_.end() ? nullptr : handle->second;
}

ProgramRegistry::Variable* ProgramRegistry::FindVariable(const void* host) {
  auto found = variables_.find(host);
  return found == variables_.end() ? nullptr : &found->second;
}

absl::Status ProgramRegistry::Load(Binary* binary, DeviceClient* device) {
  if (binary->module != 0) return absl::OkStatus();
  absl::StatusOr<std::vector<FatbinImage>> images = Images(binary->fatbin);
  if (!images.ok()) return absl::UnimplementedError(absl::StrCat("fat binary: ", images.status().message()));
  absl::string_view ptx;
  for (const FatbinImage& image : *images) {
    if (image.kind == FatbinImage::Kind::kPtx) {
      ptx = image.content;
    } else {
      binary->register_counts = CubinRegisterCounts(image.content);
    }
  }
  if (ptx.empty()) return absl::UnimplementedError("fat binary without PTX");
  absl::StatusOr<worker::v1::LoadModuleResponse> loaded = device->LoadModule(std::string(ptx));
  if (!loaded.ok()) return loaded.status();
  if (!loaded->error().empty()) return absl::UnimplementedError(loaded->error());
  binary->module = loaded->module();
  for (worker::v1::KernelSignature& signature : *loaded->mutable_signatures()) {
    std::string name = signature.name();
    binary->signatures[std::move(name)] = std::move(signature);
  }
  return absl::OkStatus();
}

absl::StatusOr<const worker::v1::KernelSignature*> ProgramRegistry::Signature(Function* function,
                                                                              DeviceClient* device) {
  if (absl::Status loaded = Load(function->binary, device); !loaded.ok()) return loaded;
  auto found = function->binary->signatures.find(function->name);
  return found == function->binary->signatures.end() ? nullptr : &found->second;
}

absl::Status ProgramRegistry::Locate(Variable* variable, DeviceClient* device) {
  if (variable->address != 0) return absl::OkStatus();
  if (absl::Status loaded = Load(variable->binary, device); !loaded.ok()) return loaded;
  worker::v1::DeviceRequest request;
  request.mutable_symbol()->set_module(variable->binary->module);
  request.mutable_symbol()->set_name(variable->name);
  absl::StatusOr<worker::v1::DeviceResponse> response = device->Call(request);
  if (!response.ok()) return response.status();
  if (response->symbol().error() != worker::v1::DEVICE_ERROR_NONE) {
    return absl::NotFoundError(absl::StrCat("no device variable ", variable->name));
  }
  variable->address = response->symbol().address();
  variable->size_bytes = response->symbol().size_bytes();
  return absl::OkStatus();
}

void ProgramRegistry::ForgetLoaded() {
  for (const std::unique_ptr<Binary>& binary : binaries_) {
    binary->module = 0;
    binary->signatures.clear();
  }
  for (auto& [host, variable] : variables_) variable.address = 0;
}

}  // namespace cudaperf::sandbox
