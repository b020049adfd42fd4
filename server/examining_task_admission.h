#ifndef CUDAPERF_SERVER_EXAMINING_TASK_ADMISSION_H_
#define CUDAPERF_SERVER_EXAMINING_TASK_ADMISSION_H_

#include "analyzers/gpu_sheet.h"
#include "cudaperf/config/v1/server_config.pb.h"
#include "sandbox/compile/compiler.h"
#include "sandbox/judge/judge.h"
#include "server/candidate_build.h"
#include "server/task_admission.h"

namespace cudaperf::server {

// Admits a task by trying it: compiles its reference, lets the judge see whether a wrong answer could pass, then runs
// the baseline, which must pass every case and run on the GPU whose times are modelled. Thread-safe.
class ExaminingTaskAdmission : public TaskAdmission {
 public:
  // Not owned; both outlive this.
  ExaminingTaskAdmission(sandbox::Compiler* compiler, sandbox::Judge* judge, BuildOptions build_options,
                         analyzers::GpuSheet gpu, config::v1::Limits limits);

  absl::StatusOr<RegisteredTask> Admit(const reward::v1::Task& task, const sandbox::CallScope& scope) override;

 private:
  absl::Status CompileReference(const sandbox::CallScope& scope, RegisteredTask* registered) const;
  absl::Status JudgeTask(const sandbox::CallScope& scope, const RegisteredTask& registered) const;
  absl::Status ExamineBaseline(const sandbox::CallScope& scope, RegisteredTask* registered) const;

  sandbox::Compiler* const compiler_;
  sandbox::Judge* const judge_;
  const BuildOptions build_options_;
  const analyzers::GpuSheet gpu_;
  const config::v1::Limits limits_;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_EXAMINING_TASK_ADMISSION_H_
