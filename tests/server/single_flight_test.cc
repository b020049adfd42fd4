#include "server/single_flight.h"

#include <atomic>
#include <future>

#include "absl/time/clock.h"
#include "gtest/gtest.h"
#include "tests/server/gate.h"

namespace cudaperf::server {
namespace {

TEST(SingleFlightTest, SameKeyIsComputedOnce) {
  SingleFlight<int> flights;
  Gate gate;
  std::atomic<int> computed = 0;
  const auto work = [&]() -> absl::StatusOr<int> {
    ++computed;
    if (absl::Status status = gate.Pass(); !status.ok()) return status;
    return 7;
  };
  auto first = std::async(std::launch::async, [&] { return flights.Do("k", {}, work); });
  gate.AwaitArrivals(1);
  auto second = std::async(std::launch::async, [&] { return flights.Do("k", {}, work); });
  gate.Open();
  EXPECT_EQ(*first.get(), 7);
  EXPECT_EQ(*second.get(), 7);
  EXPECT_LE(computed, 2);  // 2 only when the second came after the first had landed
}

TEST(SingleFlightTest, AnotherTakesOverWhenTheFirstIsCancelled) {
  SingleFlight<int> flights;
  Gate gate;
  std::stop_source stop;
  sandbox::CallScope first_scope;
  first_scope.stop = stop.get_token();
  auto first = std::async(std::launch::async, [&] {
    return flights.Do("k", first_scope, [&]() -> absl::StatusOr<int> {
      absl::Status status = gate.Pass(first_scope);
      if (!status.ok()) return status;
      return 1;
    });
  });
  gate.AwaitArrivals(1);
  auto second = std::async(std::launch::async, [&] { return flights.Do("k", {}, [] { return 2; }); });
  stop.request_stop();
  EXPECT_TRUE(absl::IsCancelled(first.get().status()));
  EXPECT_EQ(*second.get(), 2);
}

TEST(SingleFlightTest, WaitingEndsWithTheScope) {
  SingleFlight<int> flights;
  Gate gate;
  auto first = std::async(std::launch::async, [&] {
    return flights.Do("k", {}, [&]() -> absl::StatusOr<int> {
      (void)gate.Pass();
      return 1;
    });
  });
  gate.AwaitArrivals(1);
  sandbox::CallScope late;
  late.deadline = absl::Now() - absl::Seconds(1);
  EXPECT_TRUE(absl::IsDeadlineExceeded(flights.Do("k", late, [] { return 2; }).status()));
  std::stop_source stop;
  stop.request_stop();
  sandbox::CallScope stopped;
  stopped.stop = stop.get_token();
  EXPECT_TRUE(absl::IsCancelled(flights.Do("k", stopped, [] { return 2; }).status()));
  gate.Open();
  EXPECT_EQ(*first.get(), 1);
}

TEST(SingleFlightTest, NothingIsRememberedAfterLanding) {
  SingleFlight<int> flights;
  EXPECT_FALSE(flights.Do("k", {}, []() -> absl::StatusOr<int> { return absl::InternalError("x"); }).ok());
  EXPECT_EQ(*flights.Do("k", {}, [] { return 3; }), 3);
}

}  // namespace
}  // namespace cudaperf::server
