// Tests of how long a referee relies on its lease.
#include "referee/competition/held_lease.h"

#include <gtest/gtest.h>

namespace referee::competition {
namespace {

constexpr absl::Duration kLength = absl::Seconds(3);
constexpr Instant kSent = Instant::FromNanos(1'000'000'000'000);

TEST(HeldLease, NoneIsHeldBeforeTheFirstRenewal) {
  const HeldLease lease("daemon", kLength);
  EXPECT_FALSE(lease.At(Instant()).has_value());
  EXPECT_FALSE(lease.At(kSent).has_value());
}

TEST(HeldLease, LastsFromTheSendingOfTheRenewalUntilShortlyBeforeItLapses) {
  HeldLease lease("daemon", kLength);
  lease.Renewed(7, kSent);
  EXPECT_EQ(lease.At(kSent), (store::Lease{"daemon", 7}));
  const Instant end = kSent + (kLength - absl::Seconds(1));
  EXPECT_TRUE(lease.At(end + -absl::Nanoseconds(1)).has_value());
  EXPECT_FALSE(lease.At(end).has_value());
}

TEST(HeldLease, IsHeldAgainOnceItHasBeenRenewed) {
  HeldLease lease("daemon", kLength);
  lease.Renewed(7, kSent);
  const Instant later = kSent + 2 * kLength;
  EXPECT_FALSE(lease.At(later).has_value());
  lease.Renewed(8, later);
  EXPECT_EQ(lease.At(later), (store::Lease{"daemon", 8}));
}

TEST(HeldLease, CountsTheLeasesThatOthersHaveEnded) {
  HeldLease lease("daemon", kLength);
  lease.Renewed(3, Instant::FromNanos(0));
  lease.Renewed(3, Instant::FromNanos(1));
  EXPECT_EQ(lease.lost(), 0);
  lease.Renewed(4, Instant::FromNanos(2));
  EXPECT_EQ(lease.lost(), 1);
  EXPECT_EQ(lease.end(), Instant::FromNanos(2) + (kLength - limits::kLeaseMargin));
}

}  // namespace
}  // namespace referee::competition
