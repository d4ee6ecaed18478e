// Tests of a referee in a fleet: the referees that share its store and follow its competitions.
#include "referee/competition/fleet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/competition/watches.h"
#include "tests/support/memory_store.h"
#include "tests/support/simulated_time.h"

namespace referee::testing {
namespace {

using competition::Fleet;
using competition::FleetLook;
using competition::Watches;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class FleetTest : public ::testing::Test {
 protected:
  FleetLook Join(Fleet* fleet, const std::string& address, bool draining = false) {
    FleetLook look;
    look.draining = draining;
    EXPECT_TRUE(fleet->Join(clock_.Now(), address, &look).ok());
    return look;
  }

  SimulatedClock clock_;
  test::MemoryStore store_{&clock_};
  Fleet fleet_{&store_, nullptr, "one", absl::Seconds(15), {}};
};

TEST_F(FleetTest, DaemonHoldsItsLeaseFromItsFirstLookOn) {
  EXPECT_FALSE(fleet_.lease().At(clock_.Now()).has_value());
  const FleetLook look = Join(&fleet_, "one:1");
  EXPECT_TRUE(fleet_.lease().At(clock_.Now()).has_value());
  ASSERT_THAT(look.daemons, SizeIs(1));
  EXPECT_EQ(look.daemons[0].address, "one:1");
  EXPECT_LE(fleet_.NextLook(clock_.Now(), look), clock_.Now() + absl::Seconds(5));
}

TEST_F(FleetTest, DaemonSaysThatItDrainsAndHearsIfTheStoreSaysSo) {
  Join(&fleet_, "one:1", /*draining=*/true);
  Fleet other(&store_, nullptr, "two", absl::Seconds(15), {});
  const FleetLook seen = Join(&other, "two:1");
  ASSERT_THAT(seen.daemons, SizeIs(2));
  for (const store::Daemon& daemon : seen.daemons) {
    EXPECT_EQ(daemon.draining, daemon.owner == "one");
  }
  EXPECT_FALSE(seen.draining);
  ASSERT_TRUE(store_.AskToDrain("two", {}).ok());
  EXPECT_TRUE(Join(&other, "two:1").draining);
}

TEST(Watches, CallOnlyThoseWhoFollowTheCompetitionUntilTheyAreRemoved) {
  Watches watches;
  int calls = 0;
  const auto watch = watches.Add(store::CompetitionId("cup"), [&calls] { ++calls; });
  ASSERT_TRUE(watch.ok());
  watches.Notify(store::CompetitionId("other"));
  EXPECT_EQ(calls, 0);
  watches.Notify(store::CompetitionId("cup"));
  EXPECT_EQ(calls, 1);
  watches.Remove(*watch);
  watches.Notify(store::CompetitionId("cup"));
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace referee::testing
