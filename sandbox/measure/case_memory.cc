#include "sandbox/measure/case_memory.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "sandbox/measure/device_generator.h"

namespace cudaperf::sandbox {

absl::StatusOr<CaseMemory> CaseMemory::Create(GpuDevice* gpu, const reward::v1::CudaTask& task,
                                              const reward::v1::Case& test_case,
                                              const std::vector<int64_t>& scratch_bytes) {
  CaseMemory memory(gpu, task, test_case);
  absl::StatusOr<std::vector<ParameterLayout>> layout = LayOutCase(task, test_case);
  if (!layout.ok()) return layout.status();
  memory.layout_ = *std::move(layout);
  if (absl::Status status = memory.Allocate(scratch_bytes); !status.ok()) return status;
  return memory;
}

absl::Status CaseMemory::Allocate(const std::vector<int64_t>& scratch_bytes) {
  const bool is_host = task_->memory_space() == reward::v1::MEMORY_SPACE_HOST;
  for (const ParameterLayout& entry : layout_) {
    Entry& made = entries_.emplace_back();
    if (!entry.is_buffer || entry.size_bytes == 0) continue;
    absl::StatusOr<DeviceBuffer> device = DeviceBuffer::Create(gpu_, entry.size_bytes);
    if (!device.ok()) return device.status();
    made.device.emplace(*std::move(device));
    if (!is_host) continue;
    absl::StatusOr<SharedBuffer> host = SharedBuffer::Create(
        entry.size_bytes, entry.is_output() ? SharedBuffer::Access::kReadWrite : SharedBuffer::Access::kReadOnly);
    if (!host.ok()) return host.status();
    made.host.emplace(*std::move(host));
  }
  for (const int64_t size : scratch_bytes) {
    std::optional<DeviceBuffer>& made = scratch_.emplace_back();
    if (size == 0) continue;
    absl::StatusOr<DeviceBuffer> device = DeviceBuffer::Create(gpu_, size);
    if (!device.ok()) return device.status();
    made.emplace(*std::move(device));
  }
  runner_addresses_.assign(layout_.size(), 0);
  scratch_addresses_.assign(scratch_.size(), 0);
  return absl::OkStatus();
}

int64_t CaseMemory::size_bytes() const {
  int64_t total = 0;
  for (const ParameterLayout& entry : layout_) total += entry.is_buffer ? entry.size_bytes : 0;
  return total;
}

int64_t CaseMemory::output_bytes() const {
  int64_t total = 0;
  for (const ParameterLayout& entry : layout_) total += entry.is_output() ? entry.size_bytes : 0;
  return total;
}

worker::v1::GpuMapRequest CaseMemory::MapRequest(std::vector<int>& fds) const {
  worker::v1::GpuMapRequest request;
  const auto add = [&](int64_t size_bytes, int fd) {
    fds.push_back(fd);
    worker::v1::GpuMapping* mapping = request.add_mappings();
    mapping->set_size_bytes(size_bytes);
    return mapping;
  };
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (!entries_[i].device.has_value()) continue;
    const bool is_host = entries_[i].host.has_value();
    worker::v1::GpuMapping* mapping = is_host ? add(layout_[i].size_bytes, entries_[i].host->fd())
                                              : add(entries_[i].device->allocation_bytes(), entries_[i].device->fd());
    mapping->set_read_only(!layout_[i].is_output());
    mapping->set_host(is_host);
  }
  for (const std::optional<DeviceBuffer>& buffer : scratch_) {
    if (buffer.has_value()) add(buffer->allocation_bytes(), buffer->fd());
  }
  return request;
}

absl::Status CaseMemory::Bind(const worker::v1::GpuMapResponse& response) {
  int next = 0;
  const auto take = [&](int64_t offset) -> uint64_t {
    return next < response.addresses_size() ? response.addresses(next++) + static_cast<uint64_t>(offset) : (++next, 0);
  };
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (!entries_[i].device.has_value()) continue;
    runner_addresses_[i] = take(entries_[i].host.has_value() ? 0 : entries_[i].device->offset());
  }
  for (size_t i = 0; i < scratch_.size(); ++i) {
    if (scratch_[i].has_value()) scratch_addresses_[i] = take(scratch_[i]->offset());
  }
  if (next == response.addresses_size()) return absl::OkStatus();
  return absl::AbortedError("the GPU runner mapped another number of buffers");
}

absl::Status CaseMemory::Draw(const Seed& seed) {
  std::vector<CUdeviceptr> addresses;
  for (const Entry& entry : entries_) addresses.push_back(entry.device.has_value() ? entry.device->address() : 0);
  if (absl::Status status = DeviceGenerator(gpu_, *task_, *case_, layout_).Fill(seed, addresses); !status.ok())
    return status;
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (!layout_[i].is_input()) continue;
    if (absl::Status status = Publish(static_cast<int>(i)); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status CaseMemory::Publish(int parameter) {
  Entry& entry = entries_[parameter];
  if (!entry.host.has_value()) return absl::OkStatus();
  return gpu_->driver().Check(gpu_->driver().MemcpyDtoH(entry.host->data(), entry.device->address(),
                                                        static_cast<size_t>(entry.device->size_bytes())),
                              "cuMemcpyDtoH");
}

absl::Status CaseMemory::Upload(const CaseDraw& draw) {
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (!entries_[i].device.has_value() || !layout_[i].is_input()) continue;
    const absl::Status status = gpu_->driver().Check(
        gpu_->driver().MemcpyHtoD(entries_[i].device->address(), draw.inputs[i].data(), draw.inputs[i].size()),
        "cuMemcpyHtoD");
    if (!status.ok()) return status;
    if (entries_[i].host.has_value()) entries_[i].host->Write(draw.inputs[i]);
  }
  return absl::OkStatus();
}

absl::Status CaseMemory::Poison(unsigned char byte) {
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (!entries_[i].device.has_value() || layout_[i].is_input()) continue;
    if (entries_[i].host.has_value()) entries_[i].host->Fill(byte);
    if (absl::Status status = entries_[i].device->Fill(byte); !status.ok()) return status;
  }
  for (const std::optional<DeviceBuffer>& buffer : scratch_) {
    if (!buffer.has_value()) continue;
    if (absl::Status status = buffer->Fill(byte); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status CaseMemory::FillGuards() {
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (!entries_[i].device.has_value() || !layout_[i].is_output()) continue;
    if (absl::Status status = entries_[i].device->FillGuards(); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> CaseMemory::FindChangedGuard() {
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (!entries_[i].device.has_value() || !layout_[i].is_output()) continue;
    const absl::StatusOr<uint64_t> changed = entries_[i].device->CountChangedGuards();
    if (!changed.ok()) return changed.status();
    if (*changed > 0) return task_->parameters(static_cast<int>(i)).name();
  }
  return "";
}

absl::StatusOr<CUdeviceptr> CaseMemory::DeviceContent(int parameter) {
  Entry& entry = entries_[parameter];
  if (!entry.device.has_value()) return CUdeviceptr{0};
  if (entry.host.has_value()) {
    const absl::Status status = gpu_->driver().Check(
        gpu_->driver().MemcpyHtoD(entry.device->address(), entry.host->content().data(), entry.host->content().size()),
        "cuMemcpyHtoD");
    if (!status.ok()) return status;
  }
  return entry.device->address();
}

absl::StatusOr<std::string> CaseMemory::HostContent(int parameter) const {
  const Entry& entry = entries_[parameter];
  if (!entry.device.has_value()) return "";
  if (entry.host.has_value()) return std::string(entry.host->content());
  std::string content(static_cast<size_t>(entry.device->size_bytes()), '\0');
  const absl::Status status = gpu_->driver().Check(
      gpu_->driver().MemcpyDtoH(content.data(), entry.device->address(), content.size()), "cuMemcpyDtoH");
  if (!status.ok()) return status;
  return content;
}

}  // namespace cudaperf::sandbox
