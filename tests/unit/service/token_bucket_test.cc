#include "referee/service/play/token_bucket.h"

#include <gtest/gtest.h>

namespace referee::service {
namespace {

Instant After(absl::Duration time) { return Instant::FromNanos(1'000'000'000) + time; }

TEST(TokenBucket, GivesAsMuchAtOnceAsItHolds) {
  TokenBucket bucket({/*per_second=*/10, /*burst=*/3});
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(bucket.Take(1, After(absl::ZeroDuration()))) << i;
  EXPECT_FALSE(bucket.Take(1, After(absl::ZeroDuration())));
}

TEST(TokenBucket, FillsUpAtItsRateAndNoFurther) {
  TokenBucket bucket({10, 3});
  EXPECT_TRUE(bucket.Take(3, After(absl::ZeroDuration())));
  EXPECT_FALSE(bucket.Take(1, After(absl::Milliseconds(99))));
  EXPECT_TRUE(bucket.Take(1, After(absl::Milliseconds(101))));
  EXPECT_FALSE(bucket.Take(1, After(absl::Milliseconds(102))));
  EXPECT_FALSE(bucket.Take(4, After(absl::Hours(1))));
  EXPECT_TRUE(bucket.Take(3, After(absl::Hours(1))));
}

TEST(TokenBucket, TakesNothingWhenItRefuses) {
  TokenBucket bucket({1, 4});
  EXPECT_FALSE(bucket.Take(5, After(absl::ZeroDuration())));
  EXPECT_TRUE(bucket.Take(4, After(absl::ZeroDuration())));
}

TEST(TokenBucket, GivesNothingTwiceForTimeThatComesTwice) {
  TokenBucket bucket({10, 10});
  EXPECT_TRUE(bucket.Take(10, After(absl::Seconds(1))));
  EXPECT_TRUE(bucket.Take(10, After(absl::Seconds(2))));
  EXPECT_FALSE(bucket.Take(1, After(absl::Seconds(1))));
  EXPECT_FALSE(bucket.Take(1, After(absl::Seconds(2))));
}

}  // namespace
}  // namespace referee::service
