#include "sandbox/task/task_digest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <vector>

#include "sandbox/task/sha256.h"
#include "tests/sandbox/task/sample_task.h"

namespace cudaperf::sandbox {
namespace {

TEST(TaskDigestTest, HasTheDocumentedForm) {
  EXPECT_THAT(TaskDigest(SampleTask()), ::testing::MatchesRegex("sha256:[0-9a-f]+"));
  EXPECT_EQ(TaskDigest(SampleTask()).size(), 7u + 64u);
}

TEST(TaskDigestTest, LabelsDoNotCount) {
  reward::v1::Task task = SampleTask();
  task.set_name("other");
  task.set_description("text");
  task.set_reference_file("reference.c");
  EXPECT_EQ(TaskDigest(task), TaskDigest(SampleTask()));
}

TEST(TaskDigestTest, EveryFieldThatDecidesCounts) {
  using reward::v1::CudaTask;
  const std::vector<std::function<void(CudaTask&)>> changes = {
      [](CudaTask&) {},
      [](CudaTask& t) { t.mutable_reference_source()->append(" "); },
      [](CudaTask& t) { t.set_entry_point("other"); },
      [](CudaTask& t) { t.mutable_parameters(0)->set_name("m"); },
      [](CudaTask& t) { t.mutable_parameters(0)->set_dtype(reward::v1::DATA_TYPE_INT64); },
      [](CudaTask& t) { t.mutable_parameters(0)->mutable_scalar()->set_value("n + 0"); },
      [](CudaTask& t) { t.mutable_parameters(2)->mutable_buffer()->set_extent("n+0"); },
      [](CudaTask& t) { t.mutable_parameters(2)->mutable_buffer()->set_direction(reward::v1::DIRECTION_INOUT); },
      [](CudaTask& t) { t.mutable_parameters(2)->mutable_generator()->mutable_uniform()->set_max(1.75); },
      [](CudaTask& t) { t.mutable_parameters(2)->mutable_generator()->mutable_permutation(); },
      [](CudaTask& t) { t.mutable_parameters(3)->mutable_tolerance()->set_relative(0); },
      [](CudaTask& t) { t.mutable_tolerance()->set_relative(0); },
      [](CudaTask& t) { t.mutable_tolerance()->set_allow_non_finite(true); },
      [](CudaTask& t) { t.mutable_cases(0)->set_name("small"); },
      [](CudaTask& t) { t.mutable_cases(0)->set_role(reward::v1::CASE_ROLE_FULL); },
      [](CudaTask& t) { (*t.mutable_cases(0)->mutable_sizes())["n"] = 38; },
      [](CudaTask& t) { (*t.mutable_cases(0)->mutable_generators())["x"].mutable_permutation(); },
      [](CudaTask& t) { t.set_memory_space(reward::v1::MEMORY_SPACE_HOST); },
      [](CudaTask& t) { t.set_fast_math(true); },
      [](CudaTask& t) { t.mutable_baseline()->mutable_source()->append(" "); },
      [](CudaTask& t) { t.mutable_baseline()->add_launches()->set_kernel("k"); },
      [](CudaTask& t) { t.mutable_baseline()->add_scratch()->set_name("k"); },
  };
  std::set<std::string> digests;
  for (const auto& change : changes) {
    reward::v1::Task task = SampleTask();
    change(*task.mutable_cuda());
    digests.insert(TaskDigest(task));
  }
  EXPECT_EQ(digests.size(), changes.size());
}

TEST(TaskDigestTest, NeighbouringFieldsCannotTradeBytes) {
  reward::v1::Candidate a, b;
  a.add_launches()->add_grid("12");
  a.mutable_launches(0)->add_block("3");
  b.add_launches()->add_grid("1");
  b.mutable_launches(0)->add_block("23");
  EXPECT_NE(CandidateDigest(a), CandidateDigest(b));
}

TEST(Sha256Test, MatchesThePublishedAlgorithm) {
  // SHA-256 of two length-prefixed empty strings, i.e. of 16 zero bytes.
  EXPECT_EQ(Sha256().Add("", absl::string_view()).FinishText(),
            "sha256:374708fff7719dd5979ec875d56cd2286f6d3cf7ec317a3b25632aab28ec37bb");
}

}  // namespace
}  // namespace cudaperf::sandbox
