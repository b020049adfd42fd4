#ifndef CUDAPERF_SANDBOX_MEASURE_ELEMENT_TYPE_NAME_H_
#define CUDAPERF_SANDBOX_MEASURE_ELEMENT_TYPE_NAME_H_

#include "cudaperf/reward/v1/task.pb.h"

namespace cudaperf::sandbox {

// How judge_kernels.cu names an element type, such as `f32`.
constexpr const char* ElementTypeName(reward::v1::DataType type) {
  switch (type) {
    case reward::v1::DATA_TYPE_INT8:
      return "i8";
    case reward::v1::DATA_TYPE_UINT8:
      return "u8";
    case reward::v1::DATA_TYPE_INT32:
      return "i32";
    case reward::v1::DATA_TYPE_UINT32:
      return "u32";
    case reward::v1::DATA_TYPE_INT64:
      return "i64";
    case reward::v1::DATA_TYPE_UINT64:
      return "u64";
    case reward::v1::DATA_TYPE_FLOAT16:
      return "f16";
    case reward::v1::DATA_TYPE_FLOAT32:
      return "f32";
    case reward::v1::DATA_TYPE_FLOAT64:
      return "f64";
    default:
      return "";
  }
}

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_SANDBOX_MEASURE_ELEMENT_TYPE_NAME_H_
