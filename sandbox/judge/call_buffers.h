#ifndef CUDAPERF_SANDBOX_JUDGE_CALL_BUFFERS_H_
#define CUDAPERF_SANDBOX_JUDGE_CALL_BUFFERS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cudaperf/reward/v1/report.pb.h"
#include "cudaperf/reward/v1/task.pb.h"
#include "cudaperf/worker/v1/runner.pb.h"
#include "sandbox/judge/case_draw.h"
#include "sandbox/judge/shared_buffer.h"

namespace cudaperf::sandbox {

// What OUT buffers hold before the first and before the second call: far from any sensible answer in every element
// type, and different, so that an element nobody writes is wrong at least once.
inline constexpr uint8_t kPoison[2] = {0xFB, 0x7D};

// The shared buffers of one case, by parameter; filled afresh for every call.
class CallBuffers {
 public:
  static absl::StatusOr<CallBuffers> Create(const std::vector<ParameterLayout>& layout);

  // Inputs from the drawing, poison everywhere else.
  void Prepare(const CaseDraw& draw, uint8_t poison);

  // Absent for a scalar and for a buffer without elements.
  const std::optional<SharedBuffer>& at(int parameter) const { return buffers_[parameter]; }

  // Outputs that differ from the drawing's expected ones.
  std::vector<reward::v1::Mismatch> CompareOutputs(const reward::v1::CudaTask& task, const CaseDraw& draw,
                                                   uint8_t poison) const;

  // Name of the first IN buffer that no longer holds what was put there; empty when all do.
  std::string ChangedInput(const reward::v1::CudaTask& task, const CaseDraw& draw) const;

  // What OUT and INOUT buffers hold, by parameter; the others are empty.
  std::vector<std::string> Outputs() const;

  // The call as a runner takes it, with host memory for buffers, and the descriptors that belong to it.
  worker::v1::InvokeRequest HostArguments(const CaseDraw& draw, std::vector<int>& fds) const;

 private:
  explicit CallBuffers(std::vector<ParameterLayout> layout) : layout_(std::move(layout)) {}

  std::vector<ParameterLayout> layout_;
  std::vector<std::optional<SharedBuffer>> buffers_;
};

// A null pointer's bytes.
std::string NullPointer();

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_JUDGE_CALL_BUFFERS_H_
