#ifndef CUDAPERF_TESTS_SAXPY_TASK_H_
#define CUDAPERF_TESTS_SAXPY_TASK_H_

#include <google/protobuf/text_format.h>

#include <cstdint>
#include <cstdlib>
#include <initializer_list>

#include "cudaperf/reward/v1/task.pb.h"

namespace cudaperf::tests {

struct SaxpyCase {
  const char* name;
  reward::v1::CaseRole role;
  int64_t n;
};

// y[i] = a * x[i] + y[i]: a valid task for tests to use, and to break.
inline reward::v1::Task SaxpyTask(std::initializer_list<SaxpyCase> cases) {
  reward::v1::Task task;
  const bool parses = google::protobuf::TextFormat::ParseFromString(
      R"pb(
        name: "saxpy"
        cuda {
          reference_source: "void saxpy(int n, float a, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i] += a * x[i]; }\n"
          entry_point: "saxpy"
          parameters {
            name: "n"
            dtype: DATA_TYPE_INT32
            scalar { value: "n" }
          }
          parameters {
            name: "a"
            dtype: DATA_TYPE_FLOAT32
            scalar {}
            generator { uniform { min: 1 max: 2 } }
          }
          parameters {
            name: "x"
            dtype: DATA_TYPE_FLOAT32
            buffer { direction: DIRECTION_IN extent: "n" }
            generator { uniform { min: 0.5 max: 1.5 } }
          }
          parameters {
            name: "y"
            dtype: DATA_TYPE_FLOAT32
            buffer { direction: DIRECTION_INOUT extent: "n" }
            generator { uniform { min: -1 max: 1 } }
          }
          baseline { source: "// cudaperf: launch saxpy<<<ceil_div(n, 256), 256>>>(n, a, x, y)" }
        })pb",
      &task);
  if (!parses) std::abort();
  for (const SaxpyCase& one : cases) {
    reward::v1::Case* added = task.mutable_cuda()->add_cases();
    added->set_name(one.name);
    added->set_role(one.role);
    (*added->mutable_sizes())["n"] = one.n;
  }
  return task;
}

}  // namespace cudaperf::tests

#endif  // CUDAPERF_TESTS_SAXPY_TASK_H_
