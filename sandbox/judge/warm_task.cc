#include "sandbox/judge/warm_task.h"

#include <poll.h>

#include <algorithm>

namespace cudaperf::sandbox {
namespace {

// Copying more than this would hold up a request that comes in between.
constexpr int64_t kMostCaseBytes = int64_t{48} << 20;

bool IsReadable(int fd) {
  pollfd entry{.fd = fd, .events = POLLIN, .revents = 0};
  return poll(&entry, 1, 0) > 0;
}

// In the judge's memory and in shared buffers.
int64_t SizeOf(const std::vector<ParameterLayout>& layout) {
  int64_t size_bytes = 0;
  for (const ParameterLayout& entry : layout) {
    if (!entry.is_buffer) continue;
    size_bytes += entry.size_bytes * (1 + (entry.is_input() ? 1 : 0) + (entry.is_output() ? 1 : 0));
  }
  return size_bytes;
}

}  // namespace

std::optional<FirstCall> WarmTask::TakeFirst(int case_index) {
  Ask(case_index);
  if (auto ready = ready_.extract(case_index); !ready.empty()) {
    ready_bytes_ -= SizeOf(ready.mapped().draw->layout);
    return std::move(ready.mapped());
  }
  if (making_.has_value() && making_->case_index == case_index) return FinishDrawing();
  return std::nullopt;
}

bool WarmTask::DrawAhead(int64_t limit_bytes, const StopCheck& must_stop) {
  if (!making_.has_value()) {
    if (asked_.empty()) return false;
    BeginDrawing(limit_bytes, must_stop);
    return true;
  }
  const int fd = reference_->fd();
  if (fd >= 0 && !IsReadable(fd)) {
    if (absl::Now() < reference_->deadline()) return false;
    reference_->Abandon();
    making_.reset();
    return true;
  }
  const int case_index = making_->case_index;
  std::optional<FirstCall> first = FinishDrawing();
  if (!first.has_value()) return true;
  ready_bytes_ += SizeOf(first->draw->layout);
  ready_.emplace(case_index, *std::move(first));
  return true;
}

void WarmTask::Ask(int case_index) {
  if (std::find(asked_.begin(), asked_.end(), case_index) == asked_.end()) asked_.push_back(case_index);
}

void WarmTask::BeginDrawing(int64_t limit_bytes, const StopCheck& must_stop) {
  const int case_index = asked_.front();
  asked_.pop_front();
  if (ready_.contains(case_index)) return;
  const absl::StatusOr<std::vector<ParameterLayout>> layout = LayOutCase(task_, task_.cases(case_index));
  if (!layout.ok()) return;
  const int64_t size_bytes = SizeOf(*layout);
  if (size_bytes > kMostCaseBytes || size_bytes > limit_bytes - ready_bytes_) return;
  absl::StatusOr<CaseDraw> draw = DrawInputs(task_, task_id_, case_index, /*call=*/0, RandomSeed(), must_stop);
  if (absl::IsAborted(draw.status())) asked_.push_front(case_index);
  if (!draw.ok() || !reference_->Begin(*draw, kPoison[0]).ok()) return;
  making_.emplace(Making{case_index, *std::move(draw)});
}

std::optional<FirstCall> WarmTask::FinishDrawing() {
  CaseDraw draw = std::move(making_->draw);
  making_.reset();
  absl::StatusOr<Reference::Outputs> outputs = reference_->End();
  if (!outputs.ok()) return std::nullopt;
  SetExpected(*std::move(outputs), draw);
  absl::StatusOr<FirstCall> first = CaseSource::PrepareFirst(std::make_shared<const CaseDraw>(std::move(draw)));
  if (!first.ok()) return std::nullopt;
  return *std::move(first);
}

}  // namespace cudaperf::sandbox
