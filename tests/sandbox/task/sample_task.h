#ifndef CUDAPERF_TESTS_SANDBOX_TASK_SAMPLE_TASK_H_
#define CUDAPERF_TESTS_SANDBOX_TASK_SAMPLE_TASK_H_

#include "tests/saxpy_task.h"

namespace cudaperf::sandbox {

// A valid task for tests to break.
inline reward::v1::Task SampleTask() {
  return tests::SaxpyTask({{"tiny", reward::v1::CASE_ROLE_SCREEN, 37}, {"model", reward::v1::CASE_ROLE_MODEL, 1000}});
}

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_TESTS_SANDBOX_TASK_SAMPLE_TASK_H_
