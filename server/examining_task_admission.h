#ifndef CUDAPERF_SERVER_EXAMINING_TASK_ADMISSION_H_
#define CUDAPERF_SERVER_EXAMINING_TASK_ADMISSION_H_

#include "analyzers/gpu_sheet.h"
#include "cudaperf/config/v1/server_config.pb.h"
#include "sandbox/compile/compiler.h"
#include "sandbox/judge/judge.h"
#include "sandbox/measure/measurer.h"
#include "server/candidate_build.h"
#include "server/examination.h"
#include "server/task_admission.h"

namespace cudaperf::server {

// Admits a task by trying it: compiles its reference, lets the judge see whether a wrong answer could pass, then runs
// the baseline, which must pass every case and run on the GPU whose times are modelled or measured. Thread-safe.
class ExaminingTaskAdmission : public TaskAdmission {
 public:
  struct Options {
    // Not owned; all outlive this. The measurer is null without a GPU.
    sandbox::Compiler* compiler = nullptr;
    sandbox::Judge* judge = nullptr;
    sandbox::Measurer* measurer = nullptr;
    BuildOptions build;
    analyzers::GpuSheet gpu;
    config::v1::ServerConfig config;
  };
  explicit ExaminingTaskAdmission(Options options);

  absl::StatusOr<RegisteredTask> Admit(const reward::v1::Task& task, const sandbox::CallScope& scope) override;

 private:
  absl::Status CompileReference(const sandbox::CallScope& scope, RegisteredTask* registered) const;
  absl::Status JudgeTask(const sandbox::CallScope& scope, const RegisteredTask& registered) const;
  absl::Status ExamineBaseline(const sandbox::CallScope& scope, RegisteredTask* registered) const;
  // The baseline on the GPU: full-size cases against the reference, and whether its time can be measured at all.
  absl::Status MeasureBaseline(const sandbox::CallScope& scope, const Examinee& examinee,
                               const RegisteredTask& registered) const;

  const Options options_;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_SERVER_EXAMINING_TASK_ADMISSION_H_
