#include "referee/base/clock.h"

#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace referee {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

TEST(Instant, DifferencesAndSumsAreInverse) {
  const Instant start = Instant::FromNanos(1'000);
  const Instant end = start + absl::Milliseconds(5);
  EXPECT_EQ(end.nanos(), 5'001'000);
  EXPECT_EQ(end - start, absl::Milliseconds(5));
  EXPECT_EQ(start - end, -absl::Milliseconds(5));
  EXPECT_EQ(end + (start - end), start);
}

TEST(Instant, Orders) {
  const Instant early = Instant::FromNanos(-1);
  const Instant late = Instant::FromNanos(1);
  EXPECT_TRUE(early < late && early <= late && late > early && late >= early && early != late);
  EXPECT_TRUE(late <= late && late >= late && late == late);
  EXPECT_LT(late, Instant::InfiniteFuture());
}

TEST(Instant, AddingInfinityGivesTheInfiniteFuture) {
  EXPECT_EQ(Instant::FromNanos(5) + absl::InfiniteDuration(), Instant::InfiniteFuture());
}

TEST(Instant, AddingMoreThanFitsGivesTheInfiniteFuture) {
  const Instant late = Instant::FromNanos(kMax - 10);
  EXPECT_EQ(late + absl::Nanoseconds(9), Instant::FromNanos(kMax - 1));
  EXPECT_EQ(late + absl::Nanoseconds(10), Instant::InfiniteFuture());
  EXPECT_EQ(late + absl::Nanoseconds(11), Instant::InfiniteFuture());
  EXPECT_EQ(late + absl::Hours(24 * 365), Instant::InfiniteFuture());
}

TEST(Instant, SumsAndDifferencesSurviveTheEndsOfTime) {
  const Instant first = Instant::FromNanos(std::numeric_limits<int64_t>::min());
  EXPECT_EQ(first + absl::InfiniteDuration(), Instant::InfiniteFuture());
  EXPECT_EQ(first + absl::Nanoseconds(kMax), Instant::FromNanos(-1));
  EXPECT_EQ(Instant::FromNanos(-5) + -absl::InfiniteDuration(), first);
  EXPECT_EQ(Instant::FromNanos(kMax - 1) - first,
            absl::Nanoseconds(kMax - 1) + absl::Nanoseconds(kMax) + absl::Nanoseconds(1));
}

TEST(Instant, TheInfiniteFutureStaysInfinite) {
  const Instant never = Instant::InfiniteFuture();
  EXPECT_EQ(never + absl::Hours(1), never);
  EXPECT_EQ(never - Instant::FromNanos(7), absl::InfiniteDuration());
}

TEST(SystemClock, NeverGoesBack) {
  const SystemClock clock;
  Instant last = clock.Now();
  for (int i = 0; i < 1'000; ++i) {
    const Instant now = clock.Now();
    ASSERT_GE(now, last);
    last = now;
  }
}

}  // namespace
}  // namespace referee
