#ifndef CUDAPERF_TESTS_SERVER_SAXPY_TASK_H_
#define CUDAPERF_TESTS_SERVER_SAXPY_TASK_H_

#include <string>

#include "tests/saxpy_task.h"

namespace cudaperf::server {

// A valid task: two SCREEN cases and a MODEL case.
inline reward::v1::Task SaxpyTask() {
  return tests::SaxpyTask({{"small", reward::v1::CASE_ROLE_SCREEN, 33},
                           {"odd", reward::v1::CASE_ROLE_SCREEN, 1021},
                           {"model", reward::v1::CASE_ROLE_MODEL, 65536}});
}

// A valid candidate; `text` makes it another one.
inline reward::v1::Candidate SaxpyCandidate(const std::string& text = "") {
  reward::v1::Candidate candidate;
  candidate.set_source("// cudaperf: launch saxpy<<<ceil_div(n, 256), 256>>>(n, a, x, y)\n" + text);
  return candidate;
}

}  // namespace cudaperf::server

#endif  // CUDAPERF_TESTS_SERVER_SAXPY_TASK_H_
