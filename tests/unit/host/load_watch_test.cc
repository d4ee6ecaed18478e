#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "referee/host/load_watch.h"
#include "tests/unit/host/host_fixture.h"

namespace referee::host {
namespace {

constexpr absl::Duration kMax = absl::Milliseconds(20);
constexpr absl::Duration kLate = absl::Milliseconds(30);
constexpr absl::Duration kFine = absl::Milliseconds(20);

TEST(LoadGuard, LetsAllRunWhileStallsAreShort) {
  LoadGuard guard(100, kMax);
  EXPECT_EQ(guard.NextLimit(kFine, 100), 100);
}

TEST(LoadGuard, TakesAQuarterOfThoseThatRunWhenStallsAreLong) {
  LoadGuard guard(1000, kMax);
  EXPECT_EQ(guard.NextLimit(kLate, 40), 30);
  EXPECT_EQ(guard.NextLimit(kLate, 30), 23);
}

TEST(LoadGuard, NeverGoesBelowOne) {
  LoadGuard guard(100, kMax);
  for (int i = 0; i < 50; ++i) guard.NextLimit(kLate, 0);
  EXPECT_EQ(guard.NextLimit(kLate, 0), 1);
}

TEST(LoadGuard, ComesBackToAll) {
  LoadGuard guard(100, kMax);
  for (int i = 0; i < 50; ++i) guard.NextLimit(kLate, 1);
  int limit = 1, steps = 0;
  while (limit < 100) {
    const int next = guard.NextLimit(kFine, limit);
    ASSERT_GT(next, limit);
    limit = next;
    ++steps;
  }
  EXPECT_LT(steps, 60);
}

TEST(LoadWatch, LetsABlockBeginAndSaysThatTheLoadIsWhyNoMoreDo) {
  testing::HostFixture hall;
  LoadWatch::Options options;
  options.host = hall.host.get();
  options.clock = &hall.clock;
  options.timers = &hall.timers;
  options.stalls = &hall.stalls;
  options.most = 100;
  options.max_stall = absl::Microseconds(1);
  const LoadWatch watch(options);
  for (int second = 0; second < 60; ++second) {
    hall.stalls.Looked(hall.clock.Now(), absl::Microseconds(60));
    hall.timers.Advance(absl::Seconds(1));
  }
  HostView view = hall.host->Look({});
  EXPECT_EQ(view.max_running, 1);
  EXPECT_EQ(view.load,
            "the referee is under load, and plays fewer matches at once: its own threads wake up "
            "later than 1us (refereed --max-stall)");
  for (const int seats : {2, 6}) EXPECT_EQ(view.RoomForBlocks(seats), 1) << seats;
  view.running = 1;
  EXPECT_EQ(view.RoomForBlocks(2), 0);
  hall.timers.Advance(absl::Minutes(2));
  view = hall.host->Look({});
  EXPECT_EQ(view.max_running, 100);
  EXPECT_EQ(view.load, "");
}

TEST(LoadWatch, TellsWhenTheLoadGetsWorseAndWhenItIsOver) {
  testing::HostFixture hall;
  std::vector<int> told;
  LoadWatch::Options options;
  options.host = hall.host.get();
  options.clock = &hall.clock;
  options.timers = &hall.timers;
  options.stalls = &hall.stalls;
  options.most = 100;
  options.max_stall = absl::Microseconds(1);
  options.on_change = [&told](int limit, absl::Duration) { told.push_back(limit); };
  const LoadWatch watch(options);
  const auto stall = [&hall](int seconds) {
    for (int second = 0; second < seconds; ++second) {
      hall.stalls.Looked(hall.clock.Now(), absl::Microseconds(60));
      hall.timers.Advance(absl::Seconds(1));
    }
  };
  stall(3);
  ASSERT_FALSE(told.empty());
  const size_t worse = told.size();
  EXPECT_LT(told.back(), 100);
  hall.timers.Advance(absl::Seconds(5));
  EXPECT_EQ(told.size(), worse) << "it gets better";
  hall.timers.Advance(absl::Minutes(2));
  EXPECT_EQ(told.size(), worse + 1);
  EXPECT_EQ(told.back(), 100);
}

TEST(LoadGuard, IsOffWithAnInfiniteBound) {
  LoadGuard guard(100, absl::InfiniteDuration());
  EXPECT_EQ(guard.NextLimit(absl::Seconds(10), 100), 100);
}

}  // namespace
}  // namespace referee::host
