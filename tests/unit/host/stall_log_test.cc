#include "referee/host/stall_log.h"

#include <gtest/gtest.h>

namespace referee::host {
namespace {

constexpr absl::Duration kMs = absl::Milliseconds(1);

Instant At(absl::Duration since) { return Instant::FromNanos(1'000'000'000) + since; }

TEST(StallLog, SumsWhatLiesBetween) {
  StallLog log;
  log.Looked(At(20 * kMs), 10 * kMs);  // 10 to 20
  log.Looked(At(50 * kMs), 5 * kMs);   // 45 to 50
  EXPECT_EQ(log.Between(At({}), At(100 * kMs)).total, 15 * kMs);
  EXPECT_EQ(log.Between(At({}), At(100 * kMs)).longest, 10 * kMs);
  EXPECT_EQ(log.Between(At(15 * kMs), At(47 * kMs)).total, 7 * kMs);
  EXPECT_EQ(log.Between(At(20 * kMs), At(45 * kMs)).total, absl::ZeroDuration());
}

TEST(StallLog, AddsUpAllThatAreOver) {
  StallLog log;
  log.Looked(At(20 * kMs), 10 * kMs);
  log.Looked(At(30 * kMs), StallLog::kShortest - absl::Nanoseconds(1));
  log.Looked(At(50 * kMs), 5 * kMs);
  EXPECT_EQ(log.total(), 15 * kMs);
}

TEST(StallLog, LeavesOutHowThreadsUsuallyWake) {
  StallLog log;
  log.Looked(At(20 * kMs), StallLog::kShortest - absl::Nanoseconds(1));
  EXPECT_EQ(log.Between(At({}), At(100 * kMs)).total, absl::ZeroDuration());
}

TEST(StallLog, SeesTheStallThatIsNotOverYet) {
  StallLog log;
  log.ExpectAt(At(10 * kMs));
  EXPECT_EQ(log.Between(At({}), At(10 * kMs)).total, absl::ZeroDuration());
  EXPECT_EQ(log.Between(At({}), At(30 * kMs)).total, 20 * kMs);
  EXPECT_EQ(log.Between(At(25 * kMs), At(30 * kMs)).total, 5 * kMs);
  log.Looked(At(30 * kMs), 20 * kMs);
  EXPECT_EQ(log.Between(At({}), At(60 * kMs)).total, 20 * kMs);
}

TEST(StallLog, P99IsAboveNinetyNineInAHundredLooksAndNotMuchMore) {
  StallLog log;
  for (int i = 0; i < 990; ++i) log.Looked(At({}), absl::Microseconds(100));
  for (int i = 0; i < 10; ++i) log.Looked(At({}), 50 * kMs);
  EXPECT_GE(log.P99(At({})), absl::Microseconds(100));
  EXPECT_LE(log.P99(At({})), absl::Microseconds(126));
  for (int i = 0; i < 10; ++i) log.Looked(At({}), 50 * kMs);
  EXPECT_GE(log.P99(At({})), 50 * kMs);
  EXPECT_LE(log.P99(At({})), 63 * kMs);
}

TEST(StallLog, P99ForgetsWhatIsLongAgo) {
  StallLog log;
  log.Looked(At({}), 50 * kMs);
  EXPECT_GE(log.P99(At({})), 50 * kMs);
  const Instant later = At(3 * StallLog::kWindow);
  log.Looked(later, absl::ZeroDuration());
  EXPECT_LE(log.P99(later), kMs);
}

TEST(StallLog, IsEmptyAtFirst) {
  StallLog log;
  EXPECT_EQ(log.Between(At({}), At(kMs)).total, absl::ZeroDuration());
  EXPECT_EQ(log.P99(At({})), absl::ZeroDuration());
}

}  // namespace
}  // namespace referee::host
