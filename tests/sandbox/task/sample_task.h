#ifndef CUDAPERF_TESTS_SANDBOX_TASK_SAMPLE_TASK_H_
#define CUDAPERF_TESTS_SANDBOX_TASK_SAMPLE_TASK_H_

#include <google/protobuf/text_format.h>

#include <cstdlib>

#include "cudaperf/reward/v1/task.pb.h"

namespace cudaperf::sandbox {

// A valid task for tests to break.
inline reward::v1::Task SampleTask() {
  reward::v1::Task task;
  const bool parses = google::protobuf::TextFormat::ParseFromString(
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
            generator { uniform { min: -1 max: 1 } }
          }
          parameters {
            name: "y"
            dtype: DATA_TYPE_FLOAT32
            buffer { direction: DIRECTION_INOUT extent: "n" }
            generator { normal { mean: 0 stddev: 1 } }
          }
          cases {
            name: "tiny"
            role: CASE_ROLE_SCREEN
            sizes { key: "n" value: 37 }
          }
          cases {
            name: "model"
            role: CASE_ROLE_MODEL
            sizes { key: "n" value: 1000 }
          }
          baseline { source: "__global__ void saxpy(int n, float a, const float* x, float* y) {}" }
        })pb",
      &task);
  if (!parses) std::abort();
  return task;
}

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_TESTS_SANDBOX_TASK_SAMPLE_TASK_H_
