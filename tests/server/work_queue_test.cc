#include "server/work_queue.h"

#include <atomic>
#include <future>

#include "absl/time/clock.h"
#include "gtest/gtest.h"
#include "tests/server/gate.h"

namespace cudaperf::server {
namespace {

TEST(WorkQueueTest, RunsJobsInOrderOnOneSlot) {
  std::vector<int> order;
  WorkQueue queue({.slot_count = 1, .queue_limit = 10});
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(queue.Submit([&order, i](absl::Duration) { order.push_back(i); }).ok());
  ASSERT_TRUE(queue.AwaitIdle(absl::Now() + absl::Seconds(10)));
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(WorkQueueTest, FullQueueRefusesAndSaysWhenToRetry) {
  Gate gate;
  WorkQueue queue({.slot_count = 1, .queue_limit = 1});
  ASSERT_TRUE(queue.Submit([&](absl::Duration) { (void)gate.Pass(); }).ok());
  gate.AwaitArrivals(1);
  ASSERT_TRUE(queue.Submit([](absl::Duration) {}).ok());
  EXPECT_TRUE(absl::IsResourceExhausted(queue.Submit([](absl::Duration) {}).status()));
  EXPECT_GE(queue.RetryDelay(), absl::Milliseconds(100));
  EXPECT_LE(queue.RetryDelay(), absl::Seconds(30));
  EXPECT_EQ(queue.queued_count(), 1);
  EXPECT_EQ(queue.in_flight_count(), 1);
  gate.Open();
  EXPECT_TRUE(queue.AwaitIdle(absl::Now() + absl::Seconds(10)));
}

TEST(WorkQueueTest, QueueOfZeroStillUsesFreeSlots) {
  Gate gate;
  WorkQueue queue({.slot_count = 1, .queue_limit = 0});
  ASSERT_TRUE(queue.Submit([&](absl::Duration) { (void)gate.Pass(); }).ok());
  gate.AwaitArrivals(1);
  EXPECT_TRUE(absl::IsResourceExhausted(queue.Submit([](absl::Duration) {}).status()));
  gate.Open();
}

TEST(WorkQueueTest, WithdrawnJobNeverRuns) {
  Gate gate;
  std::atomic<bool> ran = false;
  WorkQueue queue({.slot_count = 1, .queue_limit = 4});
  ASSERT_TRUE(queue.Submit([&](absl::Duration) { (void)gate.Pass(); }).ok());
  gate.AwaitArrivals(1);
  const auto ticket = queue.Submit([&](absl::Duration) { ran = true; });
  ASSERT_TRUE(ticket.ok());
  EXPECT_TRUE(queue.Withdraw(*ticket));
  EXPECT_FALSE(queue.Withdraw(*ticket));
  gate.Open();
  ASSERT_TRUE(queue.AwaitIdle(absl::Now() + absl::Seconds(10)));
  EXPECT_FALSE(ran);
}

TEST(WorkQueueTest, ClosedQueueFinishesWhatItAccepted) {
  Gate gate;
  std::atomic<int> ran = 0;
  WorkQueue queue({.slot_count = 1, .queue_limit = 4});
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(queue
                    .Submit([&](absl::Duration) {
                      (void)gate.Pass();
                      ++ran;
                    })
                    .ok());
  }
  queue.Close();
  EXPECT_TRUE(absl::IsUnavailable(queue.Submit([](absl::Duration) {}).status()));
  EXPECT_FALSE(queue.AwaitIdle(absl::Now()));
  gate.Open();
  EXPECT_TRUE(queue.AwaitIdle(absl::Now() + absl::Seconds(10)));
  EXPECT_EQ(ran, 2);
}

}  // namespace
}  // namespace cudaperf::server
