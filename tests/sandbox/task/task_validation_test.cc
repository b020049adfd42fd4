#include "sandbox/task/task_validation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include "tests/sandbox/task/sample_task.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::CudaTask;
using reward::v1::Task;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr int64_t kMemoryLimit = 1 << 20;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// What validation says of the sample task after `damage`; fails the test if it says nothing.
std::string Complaint(const std::function<void(CudaTask&)>& damage) {
  Task task = SampleTask();
  damage(*task.mutable_cuda());
  const absl::Status status = ValidateTask(task, kMemoryLimit);
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  return std::string(status.message());
}

TEST(TaskValidationTest, SampleTaskIsValid) { EXPECT_TRUE(ValidateTask(SampleTask(), kMemoryLimit).ok()); }

TEST(TaskValidationTest, NamesOfTasksAreLowerCaseOrMissing) {
  Task task = SampleTask();
  task.set_name("Saxpy!");
  EXPECT_THAT(std::string(ValidateTask(task, kMemoryLimit).message()), StartsWith("name: must be"));
  task.clear_name();
  EXPECT_TRUE(ValidateTask(task, kMemoryLimit).ok());
  task.clear_cuda();
  EXPECT_THAT(std::string(ValidateTask(task, kMemoryLimit).message()), StartsWith("cuda: is missing"));
}

TEST(TaskValidationTest, SourcesMustBeText) {
  EXPECT_EQ(Complaint([](CudaTask& t) { t.clear_reference_source(); }), "cuda.reference_source: is empty");
  EXPECT_EQ(Complaint([](CudaTask& t) { t.set_reference_source("a\xC0\x80"); }), "cuda.reference_source: is not UTF-8");
  EXPECT_EQ(Complaint([](CudaTask& t) { t.clear_baseline(); }),
            "cuda.baseline: is missing: speed is measured against it");
  EXPECT_EQ(Complaint([](CudaTask& t) { t.mutable_baseline()->set_source("  \n"); }), "cuda.baseline.source: is empty");
}

TEST(TaskValidationTest, IdentifiersAreNoKeywords) {
  EXPECT_THAT(Complaint([](CudaTask& t) { t.set_entry_point("2fast"); }),
              StartsWith("cuda.entry_point: must be a C identifier"));
  EXPECT_THAT(Complaint([](CudaTask& t) { t.set_entry_point("x(); system"); }), StartsWith("cuda.entry_point: "));
  EXPECT_THAT(Complaint([](CudaTask& t) { t.mutable_parameters(2)->set_name("for"); }),
              StartsWith("cuda.parameters[2].name: "));
  EXPECT_EQ(Complaint([](CudaTask& t) { t.mutable_parameters(2)->set_name("a"); }),
            "cuda.parameters[2].name: a is taken by an earlier parameter");
}

TEST(TaskValidationTest, TolerancesAreNumbersBelowOne) {
  for (double bad : {kNan, -1e-3, 1.0, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(Complaint([bad](CudaTask& t) { t.mutable_tolerance()->set_relative(bad); }),
              "cuda.tolerance.relative: must be a number in [0, 1)");
    EXPECT_EQ(Complaint([bad](CudaTask& t) { t.mutable_parameters(3)->mutable_tolerance()->set_scaled(bad); }),
              "cuda.parameters[3].tolerance.scaled: must be a number in [0, 1)");
  }
}

TEST(TaskValidationTest, ExtentsParseAndUseKnownSizes) {
  const auto with_extent = [](const std::string& extent) {
    return Complaint([&](CudaTask& t) { t.mutable_parameters(2)->mutable_buffer()->set_extent(extent); });
  };
  EXPECT_THAT(with_extent("n *"), StartsWith("cuda.parameters[2].buffer.extent: `n *` ends"));
  EXPECT_THAT(with_extent(""), StartsWith("cuda.parameters[2].buffer.extent: "));
  EXPECT_EQ(with_extent("m"), "cuda.parameters[2].buffer.extent: unknown size m; case tiny has n");
  EXPECT_EQ(with_extent("n - 40"), "cuda.parameters[2].buffer.extent: is -3 in case tiny; must be at least 0");
  EXPECT_EQ(with_extent("n / (n - 37)"), "cuda.parameters[2].buffer.extent: division by zero in case tiny");
  EXPECT_EQ(with_extent("n * 9223372036854775807"),
            "cuda.parameters[2].buffer.extent: value does not fit 64 bits in case tiny");
}

TEST(TaskValidationTest, CasesStayWithinMemory) {
  EXPECT_THAT(Complaint([](CudaTask& t) { (*t.mutable_cases(1)->mutable_sizes())["n"] = 1 << 20; }),
              StartsWith("cuda.cases[1]: buffers of case model need more than the 1048576 bytes"));
  // The product of extent and element size overflows.
  EXPECT_THAT(
      Complaint([](CudaTask& t) { t.mutable_parameters(2)->mutable_buffer()->set_extent("9223372036854775807"); }),
      StartsWith("cuda.cases[0]: buffers of case tiny need more"));
}

TEST(TaskValidationTest, CasesAreNamedOnceAndCoverTheRoles) {
  EXPECT_EQ(Complaint([](CudaTask& t) { t.mutable_cases(1)->set_name("tiny"); }),
            "cuda.cases[1].name: tiny is taken by an earlier case");
  EXPECT_THAT(Complaint([](CudaTask& t) { t.mutable_cases(0)->clear_role(); }),
              StartsWith("cuda.cases[0].role: must be"));
  EXPECT_THAT(Complaint([](CudaTask& t) { t.mutable_cases(0)->set_role(reward::v1::CASE_ROLE_MODEL); }),
              HasSubstr("at least one with role CASE_ROLE_SCREEN"));
  EXPECT_THAT(Complaint([](CudaTask& t) { t.mutable_cases(1)->set_role(reward::v1::CASE_ROLE_FULL); }),
              HasSubstr("at least one with role CASE_ROLE_MODEL"));
  EXPECT_THAT(Complaint([](CudaTask& t) { t.clear_cases(); }), StartsWith("cuda.cases: need"));
  EXPECT_THAT(Complaint([](CudaTask& t) { (*t.mutable_cases(0)->mutable_sizes())["n"] = -1; }),
              StartsWith("cuda.cases[0].sizes[n]: is -1"));
  EXPECT_THAT(Complaint([](CudaTask& t) { (*t.mutable_cases(0)->mutable_sizes())["a b"] = 1; }),
              StartsWith("cuda.cases[0].sizes[a b]: must be named by a C identifier"));
}

TEST(TaskValidationTest, EveryInputIsFilledOnce) {
  EXPECT_EQ(Complaint([](CudaTask& t) { t.mutable_parameters(2)->clear_generator(); }),
            "cuda.parameters[2].generator: is missing: nothing fills x in case tiny");
  EXPECT_THAT(
      Complaint([](CudaTask& t) { *t.mutable_parameters(0)->mutable_generator() = t.parameters(1).generator(); }),
      HasSubstr("has a value and a generator"));
  EXPECT_THAT(Complaint([](CudaTask& t) {
                t.mutable_parameters(3)->mutable_buffer()->set_direction(reward::v1::DIRECTION_OUT);
              }),
              HasSubstr("an OUT buffer is poisoned"));
  EXPECT_THAT(Complaint([](CudaTask& t) { (*t.mutable_cases(0)->mutable_generators())["z"].mutable_constant(); }),
              StartsWith("cuda.cases[0].generators[z]: no parameter"));
}

TEST(TaskValidationTest, SomethingMustBeChecked) {
  EXPECT_THAT(Complaint([](CudaTask& t) {
                t.mutable_parameters(3)->mutable_buffer()->set_direction(reward::v1::DIRECTION_IN);
              }),
              HasSubstr("at least one OUT or INOUT buffer"));
  EXPECT_THAT(Complaint([](CudaTask& t) { t.mutable_parameters(1)->clear_dtype(); }),
              StartsWith("cuda.parameters[1].dtype: "));
  EXPECT_THAT(Complaint([](CudaTask& t) { t.mutable_parameters(1)->clear_scalar(); }),
              HasSubstr("must have scalar or buffer"));
}

TEST(TaskValidationTest, GeneratorsFitTheirTypes) {
  const auto with_generator = [](const std::function<void(reward::v1::Generator&)>& set) {
    return Complaint([&](CudaTask& t) { set(*t.mutable_parameters(2)->mutable_generator()); });
  };
  EXPECT_THAT(with_generator([](auto& g) { g.mutable_uniform()->set_min(kNan); }),
              HasSubstr("generator.uniform.min: "));
  EXPECT_THAT(with_generator([](auto& g) { g.mutable_uniform()->set_max(-1); }),
              HasSubstr("generator.uniform.max: must be above"));
  EXPECT_THAT(with_generator([](auto& g) { g.mutable_uniform()->set_max(1e300); }),
              HasSubstr("not a value of the parameter's type"));
  EXPECT_THAT(with_generator([](auto& g) { g.mutable_normal()->set_stddev(0); }), HasSubstr("normal.stddev: must be"));
  EXPECT_THAT(with_generator([](auto& g) { g.mutable_permutation(); }), HasSubstr("permutation: needs"));
  EXPECT_THAT(with_generator([](auto& g) { g.mutable_constant()->set_value(kNan); }), HasSubstr("constant.value: "));
  EXPECT_THAT(with_generator([](auto& g) { g.Clear(); }), HasSubstr("says no kind"));
  EXPECT_THAT(with_generator([](auto& g) {
                g.mutable_integer_range()->set_min("5");
                g.mutable_integer_range()->set_max("4");
              }),
              HasSubstr("min is 5, max is 4"));
  EXPECT_THAT(with_generator([](auto& g) {
                g.mutable_integer_range()->set_min("0");
                g.mutable_integer_range()->set_max("n +");
              }),
              HasSubstr("integer_range.max: "));
}

TEST(TaskValidationTest, SparseStructureMustFitTogether) {
  const auto sparse = [](CudaTask& t, const std::string& count) {
    reward::v1::Parameter* rows = t.add_parameters();
    rows->set_name("offsets");
    rows->set_dtype(reward::v1::DATA_TYPE_INT32);
    rows->mutable_buffer()->set_direction(reward::v1::DIRECTION_IN);
    rows->mutable_buffer()->set_extent("n + 1");
    rows->mutable_generator()->mutable_csr_row_offsets()->set_nonzero_count(count);
    reward::v1::Parameter* columns = t.add_parameters();
    columns->set_name("columns");
    columns->set_dtype(reward::v1::DATA_TYPE_INT32);
    columns->mutable_buffer()->set_direction(reward::v1::DIRECTION_IN);
    columns->mutable_buffer()->set_extent("3 * n");
    columns->mutable_generator()->mutable_csr_column_indices()->set_row_offsets("offsets");
    columns->mutable_generator()->mutable_csr_column_indices()->set_column_count("n");
  };
  Task good = SampleTask();
  sparse(*good.mutable_cuda(), "3 * n");
  EXPECT_TRUE(ValidateTask(good, kMemoryLimit).ok()) << ValidateTask(good, kMemoryLimit);
  EXPECT_THAT(Complaint([&](CudaTask& t) { sparse(t, "n"); }), HasSubstr("it needs one per nonzero of offsets"));
  EXPECT_THAT(Complaint([&](CudaTask& t) {
                sparse(t, "3 * n");
                t.mutable_parameters(5)->mutable_generator()->mutable_csr_column_indices()->set_row_offsets("x");
              }),
              HasSubstr("row_offsets: must name a parameter filled by csr_row_offsets"));
}

std::string CandidateComplaint(const std::function<void(reward::v1::Candidate&)>& damage) {
  reward::v1::Candidate candidate;
  candidate.set_source("__global__ void k() {}");
  damage(candidate);
  const absl::Status status = ValidateCandidate(candidate, 64);
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  return std::string(status.message());
}

TEST(CandidateValidationTest, SourceIsBoundedText) {
  EXPECT_EQ(CandidateComplaint([](auto& c) { c.clear_source(); }), "candidate.source: is empty");
  EXPECT_EQ(CandidateComplaint([](auto& c) { c.set_source(std::string(65, 'x')); }),
            "candidate.source: has 65 bytes, the limit is 64");
  EXPECT_EQ(CandidateComplaint([](auto& c) { c.set_source(std::string("a\0b", 3)); }),
            "candidate.source: contains a NUL byte");
  EXPECT_EQ(CandidateComplaint([](auto& c) { c.set_source("// \xE9t\xE9"); }), "candidate.source: is not UTF-8");
  EXPECT_EQ(CandidateComplaint([](auto& c) { c.set_source("\xED\xA0\x80"); }), "candidate.source: is not UTF-8");
}

TEST(CandidateValidationTest, LaunchExpressionsMustParse) {
  EXPECT_THAT(CandidateComplaint([](auto& c) { c.add_launches()->set_kernel("k"); }),
              HasSubstr("launches[0].grid: must have"));
  EXPECT_THAT(CandidateComplaint([](auto& c) {
                c.add_launches()->set_kernel("k");
                c.mutable_launches(0)->add_grid("n /");
                c.mutable_launches(0)->add_block("32");
              }),
              HasSubstr("candidate.launches[0].grid[0]: `n /` ends"));
  EXPECT_THAT(CandidateComplaint([](auto& c) { c.add_scratch()->set_name("1"); }), HasSubstr("scratch[0].name"));
}

}  // namespace
}  // namespace cudaperf::sandbox
