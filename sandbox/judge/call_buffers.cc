#include "sandbox/judge/call_buffers.h"

#include <utility>

#include "sandbox/judge/comparison.h"

namespace cudaperf::sandbox {

std::string NullPointer() { return std::string(8, '\0'); }

absl::StatusOr<CallBuffers> CallBuffers::Create(const std::vector<ParameterLayout>& layout) {
  CallBuffers buffers(layout);
  for (const ParameterLayout& entry : layout) {
    if (!entry.is_buffer || entry.size_bytes == 0) {
      buffers.buffers_.emplace_back(std::nullopt);
      continue;
    }
    absl::StatusOr<SharedBuffer> buffer = SharedBuffer::Create(
        entry.size_bytes, entry.is_output() ? SharedBuffer::Access::kReadWrite : SharedBuffer::Access::kReadOnly);
    if (!buffer.ok()) return buffer.status();
    buffers.buffers_.emplace_back(*std::move(buffer));
  }
  return buffers;
}

void CallBuffers::Prepare(const CaseDraw& draw, uint8_t poison) {
  for (size_t i = 0; i < buffers_.size(); ++i) {
    if (!buffers_[i].has_value()) continue;
    if (layout_[i].is_input()) {
      buffers_[i]->Write(draw.inputs[i]);
    } else {
      buffers_[i]->Fill(poison);
    }
  }
}

std::vector<reward::v1::Mismatch> CallBuffers::CompareOutputs(const reward::v1::CudaTask& task, const CaseDraw& draw,
                                                              uint8_t poison) const {
  std::vector<reward::v1::Mismatch> mismatches;
  for (size_t i = 0; i < buffers_.size(); ++i) {
    if (!buffers_[i].has_value() || !layout_[i].is_output()) continue;
    const reward::v1::Parameter& parameter = task.parameters(static_cast<int>(i));
    Comparison comparison{.got = buffers_[i]->content(),
                          .expected = draw.expected[i],
                          .type = layout_[i].dtype,
                          .tolerance = ToleranceOf(task, parameter),
                          .expected_rms = draw.expected_rms[i],
                          .expected_is_finite = draw.expected_is_finite[i]};
    if (!layout_[i].is_input()) comparison.poison = poison;
    std::optional<reward::v1::Mismatch> mismatch = Compare(comparison);
    if (!mismatch.has_value()) continue;
    mismatch->set_parameter(parameter.name());
    mismatches.push_back(*std::move(mismatch));
  }
  return mismatches;
}

std::string CallBuffers::ChangedInput(const reward::v1::CudaTask& task, const CaseDraw& draw) const {
  for (size_t i = 0; i < buffers_.size(); ++i) {
    if (!buffers_[i].has_value() || layout_[i].is_output()) continue;
    if (buffers_[i]->content() != draw.inputs[i]) return task.parameters(static_cast<int>(i)).name();
  }
  return "";
}

std::vector<std::string> CallBuffers::Outputs() const {
  std::vector<std::string> outputs(buffers_.size());
  for (size_t i = 0; i < buffers_.size(); ++i) {
    if (buffers_[i].has_value() && layout_[i].is_output()) outputs[i] = std::string(buffers_[i]->content());
  }
  return outputs;
}

worker::v1::InvokeRequest CallBuffers::HostArguments(const CaseDraw& draw, std::vector<int>& fds) const {
  worker::v1::InvokeRequest request;
  for (size_t i = 0; i < buffers_.size(); ++i) {
    worker::v1::RunnerArgument* argument = request.add_arguments();
    if (!layout_[i].is_buffer) {
      argument->set_value(draw.inputs[i]);
    } else if (!buffers_[i].has_value()) {
      argument->set_value(NullPointer());
    } else {
      argument->mutable_buffer()->set_size_bytes(layout_[i].size_bytes);
      argument->mutable_buffer()->set_read_only(!layout_[i].is_output());
      fds.push_back(buffers_[i]->fd());
    }
  }
  return request;
}

}  // namespace cudaperf::sandbox
