#include "sandbox/judge/admission.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "sandbox/judge/expected_outputs.h"
#include "sandbox/judge/reference_case_source.h"

namespace cudaperf::sandbox {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Computes y[i] from x[i], and from what y held.
class FakeReference : public Reference {
 public:
  explicit FakeReference(std::function<float(float, float)> element) : element_(std::move(element)) {}

  absl::StatusOr<std::vector<std::string>> Run(const CaseDraw& draw, uint8_t poison) override {
    const int64_t count = draw.layout[1].element_count;
    std::string y =
        draw.layout[1].is_input() ? draw.inputs[1] : std::string(count * sizeof(float), static_cast<char>(poison));
    for (int64_t i = 0; i < count; ++i) {
      float in, out;
      std::memcpy(&in, draw.inputs[0].data() + i * sizeof(float), sizeof(float));
      std::memcpy(&out, y.data() + i * sizeof(float), sizeof(float));
      out = element_(in, out);
      std::memcpy(y.data() + i * sizeof(float), &out, sizeof(float));
    }
    return std::vector<std::string>{"", y};
  }

 private:
  const std::function<float(float, float)> element_;
};

class CrashingReference : public Reference {
 public:
  absl::StatusOr<std::vector<std::string>> Run(const CaseDraw&, uint8_t) override {
    return absl::FailedPreconditionError("the reference was ended by signal 11 (Segmentation fault)");
  }
};

reward::v1::CudaTask TaskWith(const std::string& direction, const std::string& more = "") {
  reward::v1::CudaTask task;
  const std::string text = R"(
    entry_point: "f"
    parameters { name: "x" dtype: DATA_TYPE_FLOAT32 buffer { direction: DIRECTION_IN extent: "n" }
                 generator { uniform { min: 0.5 max: 1.5 } } }
    parameters { name: "y" dtype: DATA_TYPE_FLOAT32 buffer { direction: )" +
                           direction + R"( extent: "n" } )" +
                           (direction == "DIRECTION_INOUT" ? "generator { uniform { min: -1 max: 1 } }" : "") + R"( }
    cases { name: "one" role: CASE_ROLE_SCREEN sizes { key: "n" value: 1 } }
    cases { name: "many" role: CASE_ROLE_MODEL sizes { key: "n" value: 100 } }
    cases { name: "full" role: CASE_ROLE_FULL sizes { key: "n" value: 1000000000 } } )" +
                           more;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &task));
  return task;
}

std::string Refusal(const reward::v1::CudaTask& task, Reference& reference) {
  ExpectedOutputs known(1 << 20, absl::InfiniteDuration());
  const Seed& seed = known.BeginRequest(absl::UnixEpoch());
  ReferenceCaseSource source(task, "sha256:t", seed, &reference, &known);
  const absl::StatusOr<std::string> refusal = Admission(task, &source, &reference, nullptr).FindRefusal();
  EXPECT_TRUE(refusal.ok()) << refusal.status();
  return refusal.value_or("?");
}

std::string Refusal(const reward::v1::CudaTask& task, std::function<float(float, float)> element) {
  FakeReference reference(std::move(element));
  return Refusal(task, reference);
}

const reward::v1::CudaTask kOut = TaskWith("DIRECTION_OUT");
const reward::v1::CudaTask kInOut = TaskWith("DIRECTION_INOUT");

TEST(AdmissionTest, SoundTaskIsAdmitted) {
  EXPECT_EQ(Refusal(kOut, [](float x, float) { return 2 * x; }), "");
  EXPECT_EQ(Refusal(kInOut, [](float x, float y) { return y + 2 * x; }), "");
}

TEST(AdmissionTest, TaskWhoseAnswerIsZeroIsRefused) {
  EXPECT_THAT(Refusal(kOut, [](float, float) { return 0.0f; }), StartsWith("an all-zero output passes every case"));
}

TEST(AdmissionTest, TaskWhoseAnswerIsOneIsRefused) {
  EXPECT_THAT(Refusal(kOut, [](float, float) { return 1.0f; }), StartsWith("an output of ones passes every case"));
}

TEST(AdmissionTest, TaskWhoseAnswerIsItsInputIsRefused) {
  EXPECT_THAT(Refusal(kOut, [](float x, float) { return x; }), StartsWith("a copy of x passes every case"));
  EXPECT_THAT(Refusal(kInOut, [](float, float y) { return y; }), StartsWith("an untouched output passes every case"));
}

TEST(AdmissionTest, TaskWithAToleranceThatForgivesEverythingIsRefused) {
  const reward::v1::CudaTask loose = TaskWith("DIRECTION_OUT", "tolerance { relative: 0.99 scaled: 0.9 }");
  EXPECT_THAT(Refusal(loose, [](float x, float) { return x * 0.9f; }), HasSubstr("passes every case"));
}

TEST(AdmissionTest, ReferenceThatLeavesElementsUnwrittenIsRefused) {
  EXPECT_THAT(Refusal(kOut, [](float x, float y) { return x > 1 ? y : 2 * x; }),
              StartsWith("the reference gives different answers to the same inputs: y in case"));
}

TEST(AdmissionTest, ReferenceThatChangesItsMindIsRefused) {
  int calls = 0;
  EXPECT_THAT(Refusal(kOut, [&calls](float x, float) { return x + static_cast<float>(++calls); }),
              StartsWith("the reference gives different answers"));
}

TEST(AdmissionTest, NonFiniteAnswersNeedPermission) {
  const auto inverse = [](float x, float) { return x > 1 ? std::numeric_limits<float>::infinity() : 3 * x; };
  EXPECT_THAT(Refusal(kOut, inverse), HasSubstr("the reference's y is not finite in case"));
  EXPECT_EQ(Refusal(TaskWith("DIRECTION_OUT", "tolerance { allow_non_finite: true }"), inverse), "");
}

TEST(AdmissionTest, CrashingReferenceIsRefusedWithItsEnd) {
  CrashingReference reference;
  EXPECT_EQ(Refusal(kOut, reference), "the reference was ended by signal 11 (Segmentation fault) in case one");
}

}  // namespace
}  // namespace cudaperf::sandbox
