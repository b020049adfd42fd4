#include "sandbox/device/device_server.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace cudaperf::sandbox {
namespace {

using worker::v1::CopyRequest;
using worker::v1::DeviceError;
using worker::v1::DeviceRequest;
using worker::v1::DeviceResponse;

constexpr DeviceError kNone = worker::v1::DEVICE_ERROR_NONE;
// More than DeviceClient's pieces, so that an answer is bounded too.
constexpr int64_t kMaxCopyOutBytes = int64_t{64} << 20;
constexpr size_t kMaxDetailBytes = 256;
// What an SM of compute capability 9.0 gives one block at most.
constexpr int64_t kMostSharedBytes = 227 * 1024;

// Text of a hostile process, fit for a report.
std::string Printable(absl::string_view text) {
  std::string clean(text.substr(0, kMaxDetailBytes));
  for (char& c : clean) {
    if (!absl::ascii_isprint(static_cast<unsigned char>(c))) c = '?';
  }
  return clean;
}

bool IsControlOnly(const DeviceRequest& request) {
  switch (request.kind_case()) {
    case DeviceRequest::kConfigure:
    case DeviceRequest::kAttachBuffer:
    case DeviceRequest::kDetachBuffer:
    case DeviceRequest::kCollect:
      return true;
    default:
      return false;
  }
}

// A list of up to three sizes, missing ones 1; nothing when there are more.
template <typename List>
std::optional<emulator::Device::Dimensions> Dimensions(const List& sizes) {
  if (sizes.size() > 3) return std::nullopt;
  emulator::Device::Dimensions dimensions = {1, 1, 1};
  std::copy(sizes.begin(), sizes.end(), dimensions.begin());
  return dimensions;
}

DeviceError ErrorOf(const absl::Status& status) {
  if (status.ok()) return kNone;
  if (absl::IsResourceExhausted(status)) return worker::v1::DEVICE_ERROR_OUT_OF_MEMORY;
  if (absl::IsInvalidArgument(status)) return worker::v1::DEVICE_ERROR_BAD_ARGUMENT;
  return worker::v1::DEVICE_ERROR_BAD_ADDRESS;
}

}  // namespace

DeviceResponse DeviceServer::Handle(Channel channel, const DeviceRequest& request, std::vector<UniqueFd> descriptors) {
  DeviceResponse response;
  if (channel == Channel::kCommand && IsControlOnly(request)) {
    response.set_refusal("not on the command channel");
    return response;
  }
  if (memory_ == nullptr && !request.has_configure()) {
    response.set_refusal("not configured yet");
    return response;
  }
  if (!request.has_copy()) last_copy_ = CopyRequest::KIND_UNSPECIFIED;
  const bool follows_fill = std::exchange(last_was_fill_, request.has_fill());
  if (channel == Channel::kCommand) ledger_.RecordCommand();
  switch (request.kind_case()) {
    case DeviceRequest::kConfigure:
      Configure(request.configure(), &response);
      break;
    case DeviceRequest::kAttachBuffer:
      AttachBuffer(request.attach_buffer(), descriptors, &response);
      break;
    case DeviceRequest::kDetachBuffer:
      DetachBuffer(request.detach_buffer(), &response);
      break;
    case DeviceRequest::kCollect:
      Collect(request.collect(), response.mutable_collect());
      break;
    case DeviceRequest::kLoadModule:
      LoadModule(channel, request.load_module(), response.mutable_load_module());
      break;
    case DeviceRequest::kLaunch:
      Launch(request.launch(), response.mutable_launch());
      break;
    case DeviceRequest::kAllocate:
      Allocate(channel, request.allocate(), response.mutable_allocate());
      break;
    case DeviceRequest::kFree:
      response.mutable_free()->set_error(Free(channel, request.free()));
      break;
    case DeviceRequest::kCopy:
      Copy(request.copy(), response.mutable_copy());
      break;
    case DeviceRequest::kFill:
      response.mutable_fill()->set_error(Fill(request.fill(), request.fill().continues() && follows_fill));
      break;
    case DeviceRequest::kSymbol:
      FindSymbol(request.symbol(), response.mutable_symbol());
      break;
    case DeviceRequest::kReport:
      Report(request.report());
      response.mutable_report();
      break;
    case DeviceRequest::kReset:
      ResetChannel(channel);
      response.mutable_reset();
      break;
    case DeviceRequest::kMemoryInfo:
      response.mutable_memory_info()->set_total_bytes(memory_->limit_bytes());
      response.mutable_memory_info()->set_free_bytes(memory_->limit_bytes() - memory_->allocated_bytes());
      break;
    case DeviceRequest::kFindAddress:
      FindAddress(request.find_address(), response.mutable_find_address());
      break;
    case DeviceRequest::KIND_NOT_SET:
      response.set_refusal("empty request");
      break;
  }
  return response;
}

void DeviceServer::DropCommands(std::string reason) {
  Refuse(worker::v1::DEVICE_ERROR_BAD_ARGUMENT, std::move(reason));
}

void DeviceServer::Configure(const worker::v1::ConfigureRequest& request, DeviceResponse* response) {
  if (request.instruction_budget() <= 0 || request.memory_limit_bytes() <= 0 || request.thread_count() <= 0) {
    response->set_refusal("budget, memory limit and thread count must be above zero");
    return;
  }
  const bool is_new_memory = memory_ == nullptr || memory_->limit_bytes() != request.memory_limit_bytes();
  if (is_new_memory && !(buffers_.empty() && allocations_.empty() && modules_.empty())) {
    response->set_refusal("the memory limit cannot change while memory is in use");
    return;
  }
  configuration_ = request;
  if (!is_new_memory) return;
  device_.reset();
  memory_ = std::make_unique<emulator::DeviceMemory>(request.memory_limit_bytes());
  device_ = std::make_unique<emulator::Device>(memory_.get());
}

void DeviceServer::AttachBuffer(const worker::v1::AttachBufferRequest& request,
                                const std::vector<UniqueFd>& descriptors, DeviceResponse* response) {
  response->mutable_attach_buffer();
  if (request.size_bytes() == 0) return;  // a null pointer
  if (descriptors.size() != 1 || !SharedMapping::IsSealed(descriptors[0].get())) {
    response->set_refusal("a buffer needs one descriptor of memory sealed against shrinking");
    return;
  }
  absl::StatusOr<SharedMapping> mapping =
      SharedMapping::Map(descriptors[0].get(), request.size_bytes(),
                         request.read_only() ? SharedMapping::Access::kReadOnly : SharedMapping::Access::kReadWrite);
  if (!mapping.ok()) {
    response->set_refusal(std::string(mapping.status().message()));
    return;
  }
  absl::StatusOr<uint64_t> address =
      memory_->Attach({.host = mapping->address(),
                       .size_bytes = request.size_bytes(),
                       .read_only = request.read_only(),
                       .content = request.initialized() ? emulator::DeviceMemory::Content::kInitialized
                                                        : emulator::DeviceMemory::Content::kUninitialized,
                       .name = request.name(),
                       .element_size_bytes = std::max(1, request.element_size_bytes())});
  if (!address.ok()) {
    response->set_refusal(std::string(address.status().message()));
    return;
  }
  buffers_.emplace(*address, Buffer{std::move(*mapping), request.initialized()});
  response->mutable_attach_buffer()->set_address(*address);
}

void DeviceServer::DetachBuffer(const worker::v1::DetachBufferRequest& request, DeviceResponse* response) {
  if (request.address() != 0 && buffers_.count(request.address()) == 0) {
    response->set_refusal("no buffer is attached there");
    return;
  }
  for (auto buffer = buffers_.begin(); buffer != buffers_.end();) {
    if (request.address() != 0 && buffer->first != request.address()) {
      ++buffer;
      continue;
    }
    // Unmapped only once the device has forgotten it.
    if (absl::Status freed = memory_->Free(buffer->first); !freed.ok()) {
      response->set_refusal(std::string(freed.message()));
      return;
    }
    buffer = buffers_.erase(buffer);
  }
}

void DeviceServer::Collect(const worker::v1::CollectRequest& request, worker::v1::CollectResponse* response) {
  *response = ledger_.content();
  takes_commands_ = request.reset();
  warp_schedule_ = request.warp_schedule();
  if (!request.reset()) return;
  ledger_.Reset();
  FreeAllocations(Channel::kControl);
  for (const auto& [address, buffer] : buffers_) {
    if (!buffer.initialized) (void)memory_->MarkUninitialized(address);
  }
}

void DeviceServer::LoadModule(Channel channel, const worker::v1::LoadModuleRequest& request,
                              worker::v1::LoadModuleResponse* response) {
  absl::StatusOr<std::shared_ptr<const emulator::Module>> module =
      modules_.size() < kMaxModules ? emulator::Module::Parse(request.ptx())
                                    : absl::ResourceExhaustedError("too many modules");
  absl::Status loaded = module.ok() ? device_->Load(*module) : module.status();
  if (!loaded.ok()) {
    // The compiler made it, so what cannot be read is ours to learn; what does not fit is the program's.
    const bool fits = !(module.ok() && absl::IsResourceExhausted(loaded));
    response->set_error_kind(fits ? worker::v1::DEVICE_ERROR_UNSUPPORTED : worker::v1::DEVICE_ERROR_OUT_OF_MEMORY);
    response->set_error(absl::StrCat(fits ? "unsupported: module: " : "global variables do not fit in device memory: ",
                                     loaded.message()));
    ledger_.RecordSticky(response->error_kind(), response->error());
    return;
  }
  for (const emulator::Kernel& kernel : (*module)->kernels()) {
    response->add_kernels(kernel.name);
    worker::v1::KernelSignature* signature = response->add_signatures();
    signature->set_name(kernel.name);
    signature->set_static_shared_bytes(kernel.static_shared_bytes);
    for (const emulator::KernelParameter& parameter : kernel.parameters) {
      signature->add_parameter_bytes(parameter.size_bytes);
    }
  }
  response->set_module(next_module_);
  modules_.emplace(next_module_++, LoadedModule{*std::move(module), channel});
}

absl::StatusOr<std::string> DeviceServer::LayOut(const emulator::Kernel& kernel,
                                                 const worker::v1::LaunchRequest& request) const {
  if (request.arguments().empty()) return request.parameters();
  if (!request.parameters().empty()) return absl::InvalidArgumentError("both a parameter block and arguments");
  if (request.arguments_size() != static_cast<int>(kernel.parameters.size())) {
    return absl::InvalidArgumentError(absl::StrCat("kernel ", kernel.name, " takes ", kernel.parameters.size(),
                                                   " arguments, ", request.arguments_size(), " were given"));
  }
  std::string block(kernel.parameter_block_bytes, '\0');
  for (int i = 0; i < request.arguments_size(); ++i) {
    const emulator::KernelParameter& parameter = kernel.parameters[i];
    const std::string& argument = request.arguments(i);
    if (static_cast<int64_t>(argument.size()) != parameter.size_bytes) {
      return absl::InvalidArgumentError(absl::StrCat("argument ", i, " of kernel ", kernel.name, " has ",
                                                     argument.size(), " bytes instead of ", parameter.size_bytes));
    }
    std::copy(argument.begin(), argument.end(), block.begin() + parameter.offset_bytes);
  }
  return block;
}

void DeviceServer::Launch(const worker::v1::LaunchRequest& request, worker::v1::LaunchResponse* response) {
  if (ledger_.sticky_error() != kNone) {
    response->set_error(ledger_.sticky_error());
    response->set_detail(ledger_.sticky_detail());
    response->set_fault_kind(ledger_.sticky_kind());
    return;
  }
  const LoadedModule* loaded = FindModule(request.module());
  const emulator::Kernel* kernel = loaded == nullptr ? nullptr : loaded->module->FindKernel(request.kernel());
  if (kernel == nullptr) return RefuseLaunch(absl::StrCat("no kernel ", Printable(request.kernel())), response);
  const auto grid = Dimensions(request.grid());
  const auto block = Dimensions(request.block());
  if (!grid || !block) return RefuseLaunch("more than three dimensions", response);
  absl::StatusOr<std::string> parameters = LayOut(*kernel, request);
  if (!parameters.ok()) return RefuseLaunch(std::string(parameters.status().message()), response);
  if (!ledger_.HasRoomForLaunch()) {
    ledger_.RecordSticky(worker::v1::DEVICE_ERROR_BUDGET,
                         absl::StrCat("more than ", DeviceLedger::kMaxLaunches, " launches in one call"));
    return Launch(request, response);
  }
  const int64_t shared_limit = request.dynamic_shared_limit_bytes();
  emulator::LaunchOptions options;
  options.instruction_budget = configuration_.instruction_budget();
  options.checkers = configuration_.checkers();
  options.thread_count = configuration_.thread_count();
  options.warp_schedule = warp_schedule_;
  options.cooperative = request.cooperative();
  options.dynamic_shared_limit_bytes = shared_limit <= 0 ? kMostSharedBytes : std::min(shared_limit, kMostSharedBytes);
  absl::StatusOr<emulator::LaunchResult> result = device_->Launch(loaded->module, kernel->name, *grid, *block,
                                                                  request.dynamic_shared_bytes(), *parameters, options);
  if (!result.ok()) {
    ledger_.RecordSticky(worker::v1::DEVICE_ERROR_UNSUPPORTED,
                         absl::StrCat("unsupported: launch of ", kernel->name, ": ", result.status().message()));
    return Launch(request, response);
  }
  *response = ledger_.RecordLaunch(*std::move(result));
}

void DeviceServer::RefuseLaunch(std::string detail, worker::v1::LaunchResponse* response) {
  emulator::LaunchResult result;
  result.status = emulator::LaunchResult::Status::kBadLaunch;
  result.detail = std::move(detail);
  *response = ledger_.RecordLaunch(std::move(result));
}

void DeviceServer::Allocate(Channel channel, const worker::v1::AllocateRequest& request,
                            worker::v1::AllocateResponse* response) {
  if (ledger_.sticky_error() != kNone) return response->set_error(ledger_.sticky_error());
  absl::StatusOr<uint64_t> address = allocations_.size() < kMaxAllocations
                                         ? memory_->Allocate(request.size_bytes())
                                         : absl::ResourceExhaustedError("too many allocations");
  if (!address.ok()) {
    response->set_error(
        Refuse(ErrorOf(address.status()),
               absl::StrFormat("allocation of %d bytes: %s, %d of %d bytes are in use", request.size_bytes(),
                               address.status().message(), memory_->allocated_bytes(), memory_->limit_bytes())));
    return;
  }
  allocations_.emplace(*address, channel);
  response->set_error(kNone);
  response->set_address(*address);
}

DeviceError DeviceServer::Free(Channel channel, const worker::v1::FreeRequest& request) {
  if (ledger_.sticky_error() != kNone) return ledger_.sticky_error();
  auto allocation = allocations_.find(request.address());
  if (allocation == allocations_.end() || allocation->second != channel) {
    return Refuse(worker::v1::DEVICE_ERROR_BAD_ADDRESS,
                  absl::StrFormat("free of %#x, which is not an allocation of the program", request.address()));
  }
  absl::Status freed = memory_->Free(request.address());
  if (!freed.ok()) return Refuse(ErrorOf(freed), std::string(freed.message()));
  allocations_.erase(allocation);
  return kNone;
}

void DeviceServer::Copy(const CopyRequest& request, worker::v1::CopyResponse* response) {
  const CopyRequest::Kind previous = std::exchange(last_copy_, request.kind());
  if (ledger_.sticky_error() != kNone) return response->set_error(ledger_.sticky_error());
  response->set_error(kNone);
  absl::Status copied = absl::InvalidArgumentError("copy of an unknown kind or size");
  const int64_t size = request.size_bytes();
  if (size < 0) {
    response->set_error(worker::v1::DEVICE_ERROR_BAD_ARGUMENT);
  } else if (request.kind() == CopyRequest::KIND_HOST_TO_DEVICE &&
             size == static_cast<int64_t>(request.content().size())) {
    response->set_error(CheckWritable("copy to the device", request.destination(), size));
    if (response->error() != kNone) return;
    copied = memory_->CopyIn(request.destination(), request.content().data(), size);
  } else if (request.kind() == CopyRequest::KIND_DEVICE_TO_HOST && size <= kMaxCopyOutBytes) {
    response->mutable_content()->resize(size);
    copied = memory_->CopyOut(request.source(), response->mutable_content()->data(), size);
  } else if (request.kind() == CopyRequest::KIND_DEVICE_TO_DEVICE) {
    response->set_error(CheckWritable("copy on the device", request.destination(), size));
    if (response->error() != kNone) return;
    copied = memory_->CopyWithin(request.destination(), request.source(), size);
  }
  if (!copied.ok()) {
    response->clear_content();
    response->set_error(
        Refuse(ErrorOf(copied), absl::StrFormat("copy of %d bytes: %s", request.size_bytes(), copied.message())));
  } else if (request.continues() && previous == request.kind()) {
    ledger_.ExtendTransfer(request.kind(), size);
  } else {
    ledger_.RecordTransfer(request.kind(), size);
  }
}

DeviceError DeviceServer::Fill(const worker::v1::FillRequest& request, bool continues) {
  if (ledger_.sticky_error() != kNone) return ledger_.sticky_error();
  const DeviceError writable = CheckWritable("fill", request.address(), request.size_bytes());
  if (writable != kNone) return writable;
  absl::Status filled = memory_->Fill(request.address(), request.size_bytes(), static_cast<uint8_t>(request.value()));
  if (filled.ok()) {
    ledger_.RecordFill(request.size_bytes(), continues);
    return kNone;
  }
  return Refuse(ErrorOf(filled), absl::StrFormat("fill of %d bytes: %s", request.size_bytes(), filled.message()));
}

DeviceError DeviceServer::CheckWritable(absl::string_view call, uint64_t address, int64_t size_bytes) {
  const emulator::Allocation* allocation = memory_->Find(address);
  if (allocation == nullptr || !allocation->read_only) return kNone;
  return Refuse(worker::v1::DEVICE_ERROR_BAD_ADDRESS,
                absl::StrFormat("%s of %d bytes into %s, which is an input", call, size_bytes, allocation->name));
}

void DeviceServer::FindSymbol(const worker::v1::SymbolRequest& request, worker::v1::SymbolResponse* response) {
  const LoadedModule* loaded = FindModule(request.module());
  absl::StatusOr<emulator::Device::Symbol> symbol =
      loaded == nullptr ? absl::NotFoundError("no such module") : device_->FindSymbol(*loaded->module, request.name());
  if (!symbol.ok()) {
    response->set_error(
        Refuse(worker::v1::DEVICE_ERROR_BAD_ARGUMENT, absl::StrCat("no device variable ", Printable(request.name()))));
    return;
  }
  response->set_error(kNone);
  response->set_address(symbol->address);
  response->set_size_bytes(symbol->size_bytes);
}

void DeviceServer::Report(const worker::v1::ReportRequest& request) {
  const std::string detail = Printable(request.detail());
  if (request.error() == worker::v1::DEVICE_ERROR_UNSUPPORTED) {
    ledger_.RecordUnsupportedClaim(detail);
  } else {
    Refuse(worker::v1::DEVICE_ERROR_BAD_ARGUMENT, detail);
  }
}

void DeviceServer::ResetChannel(Channel channel) {
  FreeAllocations(channel);
  for (auto module = modules_.begin(); module != modules_.end();) {
    if (module->second.channel != channel) {
      ++module;
      continue;
    }
    device_->Unload(*module->second.module);
    module = modules_.erase(module);
  }
}

void DeviceServer::FindAddress(const worker::v1::AddressRequest& request, worker::v1::AddressResponse* response) const {
  const emulator::Allocation* allocation = memory_->Find(request.address());
  response->set_error(allocation == nullptr ? worker::v1::DEVICE_ERROR_BAD_ADDRESS : kNone);
  if (allocation == nullptr) return;
  response->set_base(allocation->address);
  response->set_size_bytes(allocation->size_bytes);
}

DeviceError DeviceServer::Refuse(DeviceError error, std::string detail) {
  ledger_.RecordRefusal(error, std::move(detail));
  return error;
}

void DeviceServer::FreeAllocations(Channel channel) {
  for (auto allocation = allocations_.begin(); allocation != allocations_.end();) {
    if (allocation->second != channel) {
      ++allocation;
      continue;
    }
    (void)memory_->Free(allocation->first);
    allocation = allocations_.erase(allocation);
  }
}

const DeviceServer::LoadedModule* DeviceServer::FindModule(int32_t module) const {
  auto found = modules_.find(module);
  return found == modules_.end() ? nullptr : &found->second;
}

}  // namespace cudaperf::sandbox
