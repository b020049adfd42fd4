#include "sandbox/judge/warm_task.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "tests/saxpy_task.h"

namespace cudaperf::sandbox {
namespace {

constexpr int64_t kRoom = int64_t{1} << 20;
const StopCheck kGoOn = [] { return false; };

// Computes at once; says that it is done when told to.
class FakeReference : public BackgroundReference {
 public:
  FakeReference() { EXPECT_EQ(pipe(pipe_), 0); }
  ~FakeReference() override {
    for (const int fd : pipe_) close(fd);
  }

  absl::StatusOr<Outputs> Run(const CaseDraw& draw, uint8_t) override {
    if (!status.ok()) return status;
    Outputs outputs(draw.layout.size());
    const auto* x = reinterpret_cast<const float*>(draw.inputs[2].data());
    outputs[3] = draw.inputs[3];
    float a;
    std::memcpy(&a, draw.inputs[1].data(), sizeof(a));
    auto* y = reinterpret_cast<float*>(outputs[3].data());
    for (int64_t i = 0; i < draw.layout[2].element_count; ++i) y[i] += a * x[i];
    return outputs;
  }
  absl::Status Begin(const CaseDraw& draw, uint8_t poison) override {
    ++begin_count;
    result_ = Run(draw, poison);
    return absl::OkStatus();
  }
  int fd() const override { return is_slow ? pipe_[0] : -1; }
  absl::Time deadline() const override { return late; }
  absl::StatusOr<Outputs> End() override { return *result_; }
  void Abandon() override { ++abandon_count; }

  absl::Status status;
  bool is_slow = false;
  absl::Time late = absl::InfiniteFuture();
  int begin_count = 0;
  int abandon_count = 0;

 private:
  int pipe_[2];
  std::optional<absl::StatusOr<Outputs>> result_;
};

class WarmTaskTest : public ::testing::Test {
 protected:
  WarmTaskTest() {
    auto reference = std::make_unique<FakeReference>();
    reference_ = reference.get();
    task_.emplace("sha256:t",
                  tests::SaxpyTask({{"tiny", reward::v1::CASE_ROLE_SCREEN, 37},
                                    {"large", reward::v1::CASE_ROLE_MODEL, 100'000}})
                      .cuda(),
                  std::move(reference));
  }

  void DrawAll() {
    for (int step = 0; step < 100 && task_->DrawAhead(kRoom, kGoOn); ++step) {
    }
    EXPECT_FALSE(task_->DrawAhead(kRoom, kGoOn)) << "never done";
  }

  FakeReference* reference_;
  std::optional<WarmTask> task_;
};

TEST_F(WarmTaskTest, DrawingIsCompleteAndGivenAwayOnce) {
  EXPECT_FALSE(task_->TakeFirst(0).has_value());
  DrawAll();
  const std::optional<FirstCall> first = task_->TakeFirst(0);
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->draw->expected[3].size(), 37 * sizeof(float));
  EXPECT_GT(first->draw->expected_rms[3], 0);
  EXPECT_EQ(first->buffers.at(2)->content(), first->draw->inputs[2]);
  EXPECT_EQ(first->buffers.at(3)->content(), first->draw->inputs[3]);
  EXPECT_FALSE(task_->TakeFirst(0).has_value());
}

TEST_F(WarmTaskTest, NoTwoDrawingsAreAlike) {
  std::string before;
  for (int request = 0; request < 3; ++request) {
    task_->TakeFirst(0);
    DrawAll();
    const std::optional<FirstCall> first = task_->TakeFirst(0);
    ASSERT_TRUE(first.has_value());
    EXPECT_NE(first->draw->inputs[2], before);
    before = first->draw->inputs[2];
    DrawAll();
  }
}

TEST_F(WarmTaskTest, OnlyWhatWasAskedForIsDrawnAhead) {
  DrawAll();
  EXPECT_EQ(reference_->begin_count, 0);
  task_->TakeFirst(0);
  task_->TakeFirst(0);
  DrawAll();
  EXPECT_EQ(reference_->begin_count, 1);
}

TEST_F(WarmTaskTest, WorkIsDroppedWhenToldToStopAndTakenUpAgain) {
  task_->TakeFirst(1);
  EXPECT_TRUE(task_->DrawAhead(int64_t{1} << 30, [] { return true; }));
  EXPECT_EQ(reference_->begin_count, 0);
  EXPECT_TRUE(task_->DrawAhead(int64_t{1} << 30, kGoOn));
  EXPECT_EQ(reference_->begin_count, 1);
}

TEST_F(WarmTaskTest, ReferenceAtWorkIsNotWaitedForUnlessItsAnswerIsWanted) {
  reference_->is_slow = true;
  task_->TakeFirst(0);
  EXPECT_TRUE(task_->DrawAhead(kRoom, kGoOn));
  EXPECT_GE(task_->fd(), 0);
  EXPECT_FALSE(task_->DrawAhead(kRoom, kGoOn));
  EXPECT_TRUE(task_->TakeFirst(0).has_value());
  EXPECT_EQ(reference_->begin_count, 1);
}

TEST_F(WarmTaskTest, LateReferenceIsAbandoned) {
  reference_->is_slow = true;
  reference_->late = absl::InfinitePast();
  task_->TakeFirst(0);
  EXPECT_TRUE(task_->DrawAhead(kRoom, kGoOn));
  EXPECT_TRUE(task_->DrawAhead(kRoom, kGoOn));
  EXPECT_EQ(reference_->abandon_count, 1);
  EXPECT_FALSE(task_->DrawAhead(kRoom, kGoOn));
}

TEST_F(WarmTaskTest, FailingReferenceIsTriedOnceForEachRequest) {
  reference_->status = absl::FailedPreconditionError("the reference crashed");
  task_->TakeFirst(0);
  DrawAll();
  EXPECT_EQ(reference_->begin_count, 1);
  EXPECT_FALSE(task_->TakeFirst(0).has_value());
}

TEST_F(WarmTaskTest, WhatDoesNotFitIsNotDrawnAhead) {
  task_->TakeFirst(1);
  DrawAll();
  EXPECT_EQ(reference_->begin_count, 0);
}

}  // namespace
}  // namespace cudaperf::sandbox
