#include "sandbox/measure/case_verification.h"

#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "proto/duration.h"
#include "sandbox/judge/call_buffers.h"
#include "sandbox/judge/comparison.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::CaseResult;

constexpr int kCallsPerCase = 2;

// Looks for what a right answer does not excuse.
absl::Status JudgeSurroundings(const reward::v1::CudaTask& task, CaseMemory& memory, const CaseDraw& draw,
                               CaseResult* result) {
  for (size_t i = 0; i < draw.layout.size(); ++i) {
    if (!draw.layout[i].is_input() || draw.layout[i].is_output()) continue;
    const absl::StatusOr<std::string> content = memory.HostContent(static_cast<int>(i));
    if (!content.ok()) return content.status();
    if (*content == draw.inputs[i]) continue;
    result->set_status(reward::v1::CASE_STATUS_WRONG_RESULT);
    result->set_detail(absl::StrCat("the input ", task.parameters(static_cast<int>(i)).name(), " was changed"));
    return absl::OkStatus();
  }
  const absl::StatusOr<std::string> changed = memory.FindChangedGuard();
  if (!changed.ok()) return changed.status();
  if (changed->empty()) return absl::OkStatus();
  SetOutsideWrite(*changed, result);
  return absl::OkStatus();
}

absl::Status PrepareCall(GpuDevice* gpu, CaseMemory& memory, const CaseDraw& draw, unsigned char poison) {
  if (absl::Status status = memory.Upload(draw); !status.ok()) return status;
  if (absl::Status status = memory.Poison(poison); !status.ok()) return status;
  if (absl::Status status = memory.FillGuards(); !status.ok()) return status;
  return gpu->Synchronize();
}

}  // namespace

CaseResult ResultOf(const reward::v1::Case& test_case) {
  CaseResult result;
  result.set_case_name(test_case.name());
  result.set_role(test_case.role());
  return result;
}

void SetOutsideWrite(const std::string& buffer, CaseResult* result) {
  result->set_status(reward::v1::CASE_STATUS_MEMORY_FAULT);
  result->set_detail(absl::StrCat("memory just outside ", buffer, " was written"));
  reward::v1::Finding* finding = result->add_findings();
  finding->set_kind(reward::v1::FINDING_KIND_OUT_OF_BOUNDS);
  finding->set_message(result->detail());
  finding->set_count(1);
  finding->set_fatal(true);
}

absl::Status JudgeOutputs(const reward::v1::CudaTask& task, const CaseMemory& memory, const CaseDraw& draw,
                          unsigned char poison, CaseResult* result) {
  result->set_status(reward::v1::CASE_STATUS_PASSED);
  for (size_t i = 0; i < draw.layout.size(); ++i) {
    if (!draw.layout[i].is_output() || draw.layout[i].size_bytes == 0) continue;
    const absl::StatusOr<std::string> got = memory.HostContent(static_cast<int>(i));
    if (!got.ok()) return got.status();
    const reward::v1::Parameter& parameter = task.parameters(static_cast<int>(i));
    Comparison comparison{.got = *got,
                          .expected = draw.expected[i],
                          .type = draw.layout[i].dtype,
                          .tolerance = ToleranceOf(task, parameter),
                          .expected_rms = draw.expected_rms[i]};
    if (!draw.layout[i].is_input()) comparison.poison = poison;
    std::optional<reward::v1::Mismatch> mismatch = Compare(comparison);
    if (!mismatch.has_value()) continue;
    mismatch->set_parameter(parameter.name());
    if (result->mismatches().empty()) result->set_detail(DescribeMismatch(*mismatch));
    result->set_status(reward::v1::CASE_STATUS_WRONG_RESULT);
    *result->add_mismatches() = *std::move(mismatch);
  }
  return absl::OkStatus();
}

absl::StatusOr<MeasuredCase> VerifyCase(GpuDevice* gpu, const reward::v1::CudaTask& task, int case_index,
                                        CaseSource* source, MeasuredProgram* program) {
  MeasuredCase verified;
  const reward::v1::Case& test_case = task.cases(case_index);
  verified.result = ResultOf(test_case);
  const absl::StatusOr<std::vector<int64_t>> scratch = program->ScratchBytes(test_case);
  if (!scratch.ok()) {
    verified.rejection = std::string(scratch.status().message());
    return verified;
  }
  absl::StatusOr<CaseMemory> memory = CaseMemory::Create(gpu, task, test_case, *scratch);
  if (!memory.ok()) return memory.status();
  if (absl::Status status = program->BeginCase(&*memory); !status.ok()) return status;
  for (int call = 0; call < kCallsPerCase; ++call) {
    const absl::StatusOr<std::shared_ptr<const CaseDraw>> draw = source->Draw(case_index, call);
    if (!draw.ok()) return draw.status();
    if (absl::Status status = PrepareCall(gpu, *memory, **draw, kPoison[call]); !status.ok()) return status;
    const absl::StatusOr<MeasuredCall> ended = program->Call((*draw)->inputs, absl::ZeroDuration());
    if (!ended.ok()) return ended.status();
    verified.rejection = ended->rejection;
    if (!verified.rejection.empty()) return verified;
    if (ended->status != reward::v1::CASE_STATUS_UNSPECIFIED) {
      verified.result.set_status(ended->status);
      verified.result.set_detail(ended->detail);
      return verified;
    }
    absl::Status judged = JudgeOutputs(task, *memory, **draw, kPoison[call], &verified.result);
    if (judged.ok() && verified.result.status() == reward::v1::CASE_STATUS_PASSED) {
      judged = JudgeSurroundings(task, *memory, **draw, &verified.result);
    }
    if (!judged.ok()) return judged;
    if (call == 0) *verified.result.mutable_duration() = proto::ToProto(ended->time);
    if (verified.result.status() != reward::v1::CASE_STATUS_PASSED) break;
  }
  if (absl::Status status = program->EndCase(); !status.ok()) return status;
  return verified;
}

}  // namespace cudaperf::sandbox
