#ifndef CUDAPERF_TESTS_SERVER_SAXPY_TASK_H_
#define CUDAPERF_TESTS_SERVER_SAXPY_TASK_H_

#include "cudaperf/reward/v1/task.pb.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "server/registered_task.h"

namespace cudaperf::server {

// A valid task: two SCREEN cases and a MODEL case.
inline reward::v1::Task SaxpyTask() {
  reward::v1::Task task;
  const bool parsed = google::protobuf::TextFormat::ParseFromString(
      R"pb(
        name: "saxpy"
        cuda {
          reference_source: "void saxpy(int n, float a, const float* x, float* y) { for (int i = 0; i < n; ++i) y[i] += a * x[i]; }"
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
            generator { uniform { min: 1 max: 2 } }
          }
          parameters {
            name: "y"
            dtype: DATA_TYPE_FLOAT32
            buffer { direction: DIRECTION_INOUT extent: "n" }
            generator { uniform { min: 1 max: 2 } }
          }
          cases {
            name: "small"
            role: CASE_ROLE_SCREEN
            sizes { key: "n" value: 33 }
          }
          cases {
            name: "odd"
            role: CASE_ROLE_SCREEN
            sizes { key: "n" value: 1021 }
          }
          cases {
            name: "model"
            role: CASE_ROLE_MODEL
            sizes { key: "n" value: 65536 }
          }
          baseline { source: "// cudaperf: launch saxpy<<<ceil_div(n, 256), 256>>>(n, a, x, y)" }
        }
      )pb",
      &task);
  EXPECT_TRUE(parsed);
  return task;
}

// A valid candidate; `text` makes it another one.
inline reward::v1::Candidate SaxpyCandidate(const std::string& text = "") {
  reward::v1::Candidate candidate;
  candidate.set_source("// cudaperf: launch saxpy<<<ceil_div(n, 256), 256>>>(n, a, x, y)\n" + text);
  return candidate;
}

}  // namespace cudaperf::server

#endif  // CUDAPERF_TESTS_SERVER_SAXPY_TASK_H_
