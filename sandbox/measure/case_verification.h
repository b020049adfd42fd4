#ifndef CUDAPERF_SANDBOX_MEASURE_CASE_VERIFICATION_H_
#define CUDAPERF_SANDBOX_MEASURE_CASE_VERIFICATION_H_

#include <string>

#include "absl/status/statusor.h"
#include "cudaperf/reward/v1/report.pb.h"
#include "sandbox/judge/case_source.h"
#include "sandbox/measure/case_memory.h"
#include "sandbox/measure/measured_program.h"

namespace cudaperf::sandbox {

// What a case came to. Not empty `rejection`: the whole measurement ends with it.
struct MeasuredCase {
  reward::v1::CaseResult result;
  std::string rejection;
};

// With the case's name and role, and no status yet.
reward::v1::CaseResult ResultOf(const reward::v1::Case& test_case);

// Compares outputs in host memory with what the reference answered; `poison` is what OUT buffers held before. Fills in
// the result's status, detail and mismatches.
absl::Status JudgeOutputs(const reward::v1::CudaTask& task, const CaseMemory& memory, const CaseDraw& draw,
                          unsigned char poison, reward::v1::CaseResult* result);

// The result of a program that wrote around this buffer.
void SetOutsideWrite(const std::string& buffer, reward::v1::CaseResult* result);

// One small case on the GPU: two calls with fresh inputs and another poison, outputs against the reference's, inputs
// and the surroundings of outputs unchanged. `source` draws.
absl::StatusOr<MeasuredCase> VerifyCase(GpuDevice* gpu, const reward::v1::CudaTask& task, int case_index,
                                        CaseSource* source, MeasuredProgram* program);

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_MEASURE_CASE_VERIFICATION_H_
