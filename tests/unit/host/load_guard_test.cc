#include "referee/host/load_guard.h"

#include <gtest/gtest.h>

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

TEST(LoadGuard, IsOffWithAnInfiniteBound) {
  LoadGuard guard(100, absl::InfiniteDuration());
  EXPECT_EQ(guard.NextLimit(absl::Seconds(10), 100), 100);
}

}  // namespace
}  // namespace referee::host
