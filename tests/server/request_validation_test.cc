#include "server/request_validation.h"

#include <functional>
#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/server/saxpy_task.h"
#include "tests/server/test_settings.h"

namespace cudaperf::server {
namespace {

using reward::v1::EvaluateKernelRequest;
using ::testing::StartsWith;

EvaluateKernelRequest GoodRequest() {
  EvaluateKernelRequest request;
  *request.mutable_task() = SaxpyTask();
  *request.mutable_candidate() = SaxpyCandidate();
  return request;
}

TEST(RequestValidationTest, GoodRequestPasses) { EXPECT_TRUE(ValidateRequest(GoodRequest(), TestSettings()).ok()); }

struct BadRequest {
  const char* name;
  std::function<void(EvaluateKernelRequest&)> spoil;
  const char* complaint;
};

class BadRequestTest : public ::testing::TestWithParam<BadRequest> {};

TEST_P(BadRequestTest, IsRefusedNamingTheField) {
  EvaluateKernelRequest request = GoodRequest();
  GetParam().spoil(request);
  const absl::Status status = ValidateRequest(request, TestSettings());
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(std::string(status.message()), StartsWith(GetParam().complaint));
}

const BadRequest kBadRequests[] = {
    {"LongRequestId", [](auto& r) { r.set_request_id(std::string(129, 'x')); }, "request_id: 129 bytes"},
    {"NoTask", [](auto& r) { r.clear_task_source(); }, "task_source: missing"},
    {"EmptyTaskId", [](auto& r) { r.set_task_id(""); }, "task_id: empty"},
    {"LongTaskId", [](auto& r) { r.set_task_id(std::string(200, 'x')); }, "task_id: longer"},
    {"NoCandidate", [](auto& r) { r.clear_candidate(); }, "candidate: missing"},
    {"EmptySource", [](auto& r) { r.mutable_candidate()->set_source(""); }, "candidate.source: "},
    {"LargeSource", [](auto& r) { r.mutable_candidate()->set_source(std::string(262145, 'x')); }, "candidate.source: "},
    {"SourceIsNotUtf8", [](auto& r) { r.mutable_candidate()->set_source("\xff\xfe"); }, "candidate.source: "},
    {"SourceHasNul", [](auto& r) { r.mutable_candidate()->set_source(std::string("a\0b", 3)); }, "candidate.source: "},
    {"UnknownPolicy", [](auto& r) { r.set_reward_policy("generous"); },
     "reward_policy: unknown; this server has cudaperf-v1"},
    {"SmallFeedback", [](auto& r) { r.set_feedback_limit_bytes(10); }, "feedback_limit_bytes: must be 256 .. 65536"},
    {"LargeFeedback", [](auto& r) { r.set_feedback_limit_bytes(70000); }, "feedback_limit_bytes: "},
    {"NegativeFeedback", [](auto& r) { r.set_feedback_limit_bytes(-1); }, "feedback_limit_bytes: "},
    {"ReferenceFile", [](auto& r) { r.mutable_task()->set_reference_file("/etc/passwd"); },
     "task.reference_file: the server reads no files"},
    {"BaselineFile", [](auto& r) { r.mutable_task()->set_baseline_file("x"); },
     "task.baseline_file: the server reads no files"},
    {"NotANumberTolerance",
     [](auto& r) {
       r.mutable_task()->mutable_cuda()->mutable_tolerance()->set_relative(std::numeric_limits<double>::quiet_NaN());
     },
     "task.cuda.tolerance.relative: "},
    {"ExtentDoesNotParse",
     [](auto& r) { r.mutable_task()->mutable_cuda()->mutable_parameters(2)->mutable_buffer()->set_extent("n +"); },
     "task.cuda.parameters[2].buffer.extent: "},
    {"ExtentOverflows",
     [](auto& r) {
       r.mutable_task()->mutable_cuda()->mutable_parameters(2)->mutable_buffer()->set_extent(
           "n * 4611686018427387904 * 4611686018427387904");
     },
     "task.cuda."},
    {"CaseNeedsTooMuchMemory",
     [](auto& r) { (*r.mutable_task()->mutable_cuda()->mutable_cases(0)->mutable_sizes())["n"] = int64_t{1} << 33; },
     "task.cuda.cases[0]"},
    {"BadEntryPoint", [](auto& r) { r.mutable_task()->mutable_cuda()->set_entry_point("1x"); },
     "task.cuda.entry_point: "},
    {"NoBaseline", [](auto& r) { r.mutable_task()->mutable_cuda()->clear_baseline(); }, "task.cuda.baseline"},
};

INSTANTIATE_TEST_SUITE_P(BadRequests, BadRequestTest, ::testing::ValuesIn(kBadRequests),
                         [](const auto& info) { return info.param.name; });

TEST(RequestValidationTest, PolicyOfEmptyNameIsTheDefault) {
  const auto config = TestSettings();
  ASSERT_NE(FindPolicy(config, ""), nullptr);
  EXPECT_EQ(FindPolicy(config, "")->name(), "cudaperf-v1");
  EXPECT_EQ(FindPolicy(config, "nobody"), nullptr);
}

}  // namespace
}  // namespace cudaperf::server
