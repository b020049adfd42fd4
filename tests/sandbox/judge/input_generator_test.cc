#include "sandbox/judge/input_generator.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>
#include <string>

#include "sandbox/task/half.h"

namespace cudaperf::sandbox {
namespace {

const Seed kSeed = {7};

template <typename T>
std::vector<T> Values(const std::string& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

// Inputs of a task that is made of these parameters and one case.
std::vector<std::string> Draw(const std::string& parameters, const std::string& test_case, int call = 0) {
  reward::v1::CudaTask task;
  EXPECT_TRUE(
      google::protobuf::TextFormat::ParseFromString(parameters + " cases { name: 'c' " + test_case + " }", &task));
  const auto layout = LayOutCase(task, task.cases(0));
  EXPECT_TRUE(layout.ok()) << layout.status();
  auto inputs = GenerateInputs(task, task.cases(0), *layout, kSeed, "sha256:task", call);
  EXPECT_TRUE(inputs.ok()) << inputs.status();
  return *std::move(inputs);
}

std::string Buffer(const std::string& dtype, const std::string& generator) {
  return "parameters { name: 'x' dtype: DATA_TYPE_" + dtype +
         " buffer { direction: DIRECTION_IN extent: 'n' } generator { " + generator + " } }";
}

const char kThousand[] = "sizes { key: 'n' value: 1000 }";

TEST(InputGeneratorTest, UniformStaysInItsInterval) {
  const auto values = Values<float>(Draw(Buffer("FLOAT32", "uniform { min: -2 max: 3 }"), kThousand)[0]);
  ASSERT_EQ(values.size(), 1000u);
  EXPECT_GE(*std::min_element(values.begin(), values.end()), -2.0f);
  EXPECT_LE(*std::max_element(values.begin(), values.end()), 3.0f);
  EXPECT_GT(std::set<float>(values.begin(), values.end()).size(), 990u);
}

TEST(InputGeneratorTest, CallsDrawFreshContentAndSameCallsTheSame) {
  const std::string parameter = Buffer("FLOAT64", "normal { mean: 5 stddev: 0.1 }");
  EXPECT_EQ(Draw(parameter, kThousand, 0), Draw(parameter, kThousand, 0));
  EXPECT_NE(Draw(parameter, kThousand, 0), Draw(parameter, kThousand, 1));
}

TEST(InputGeneratorTest, IntegersCoverBothEndsOfTheirRange) {
  const auto values =
      Values<int8_t>(Draw(Buffer("INT8", "integer_range { min: '-n / 500' max: 'n / 1000 + 1' }"), kThousand)[0]);
  EXPECT_EQ(std::set<int>(values.begin(), values.end()), (std::set<int>{-2, -1, 0, 1, 2}));
}

TEST(InputGeneratorTest, SortedAscends) {
  const auto values = Values<int32_t>(Draw(Buffer("INT32", "sorted { min: 0 max: 100000 }"), kThousand)[0]);
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
  EXPECT_LT(values.front(), values.back());
}

TEST(InputGeneratorTest, PermutationHasEveryIndexOnce) {
  auto values = Values<int64_t>(Draw(Buffer("INT64", "permutation {}"), kThousand)[0]);
  EXPECT_FALSE(std::is_sorted(values.begin(), values.end()));
  std::sort(values.begin(), values.end());
  for (int64_t i = 0; i < 1000; ++i) EXPECT_EQ(values[i], i);
}

TEST(InputGeneratorTest, ConstantsAreConvertedToTheType) {
  for (uint16_t bits : Values<uint16_t>(Draw(Buffer("FLOAT16", "constant { value: 0.5 }"), kThousand)[0])) {
    EXPECT_EQ(HalfToFloat(bits), 0.5f);
  }
}

TEST(InputGeneratorTest, SparseRowsAscendAndColumnsAreDistinctWithinARow) {
  // Columns stand before the offsets they follow from.
  const std::string matrix = R"(
    parameters { name: 'columns' dtype: DATA_TYPE_INT32 buffer { direction: DIRECTION_IN extent: '3 * n' }
                 generator { csr_column_indices { row_offsets: 'offsets' column_count: 'n' } } }
    parameters { name: 'offsets' dtype: DATA_TYPE_INT32 buffer { direction: DIRECTION_IN extent: 'n + 1' }
                 generator { csr_row_offsets { nonzero_count: '3 * n' } } })";
  const auto inputs = Draw(matrix, kThousand);
  const auto columns = Values<int32_t>(inputs[0]);
  const auto offsets = Values<int32_t>(inputs[1]);
  ASSERT_EQ(offsets.size(), 1001u);
  EXPECT_EQ(offsets.front(), 0);
  EXPECT_EQ(offsets.back(), 3000);
  EXPECT_TRUE(std::is_sorted(offsets.begin(), offsets.end()));
  std::set<int> lengths;
  for (int row = 0; row < 1000; ++row) {
    lengths.insert(offsets[row + 1] - offsets[row]);
    for (int i = offsets[row]; i < offsets[row + 1]; ++i) {
      EXPECT_GE(columns[i], 0);
      EXPECT_LT(columns[i], 1000);
      if (i > offsets[row]) EXPECT_GT(columns[i], columns[i - 1]);
    }
  }
  EXPECT_GT(lengths.size(), 5u);
}

TEST(InputGeneratorTest, ScalarsComeFromTheirValueOrTheirGenerator) {
  const auto inputs = Draw(R"(
    parameters { name: 'count' dtype: DATA_TYPE_INT64 scalar { value: '2 * n' } }
    parameters { name: 'factor' dtype: DATA_TYPE_FLOAT32 scalar {} generator { uniform { min: 1 max: 2 } } }
    parameters { name: 'y' dtype: DATA_TYPE_FLOAT32 buffer { direction: DIRECTION_OUT extent: 'n' } })",
                           kThousand);
  EXPECT_EQ(Values<int64_t>(inputs[0]), std::vector<int64_t>{2000});
  ASSERT_EQ(Values<float>(inputs[1]).size(), 1u);
  EXPECT_GE(Values<float>(inputs[1])[0], 1.0f);
  EXPECT_TRUE(inputs[2].empty());
}

TEST(InputGeneratorTest, ACaseReplacesAGenerator) {
  const auto inputs = Draw(Buffer("INT32", "permutation {}"),
                           std::string(kThousand) + " generators { key: 'x' value { constant { value: 4 } } }");
  EXPECT_EQ(Values<int32_t>(inputs[0]), std::vector<int32_t>(1000, 4));
}

TEST(InputGeneratorTest, EmptyBuffersAreEmpty) {
  for (const char* generator : {"uniform { min: 0 max: 1 }", "sorted { min: 0 max: 1 }", "permutation {}"}) {
    EXPECT_TRUE(Draw(Buffer("INT32", generator), "sizes { key: 'n' value: 0 }")[0].empty());
  }
}

}  // namespace
}  // namespace cudaperf::sandbox
