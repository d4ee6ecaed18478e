// Tests of two referees on one store with faults: the store fails for a while, or one disk fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tests/unit/competition/competition_fixture.h"

namespace referee::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kPlayers[] = {"ada", "bob", "cyd", "dan"};

// All bots are at both referees. The ladder is owned by the one that is called home.
class FleetFaults : public ::testing::Test {
 protected:
  FleetFaults() {
    home_.owner = "home";
    home_.address = "home.example.org:7450";
    other_.owner = "other";
    other_.address = "other.example.org:7450";
    for (const char* name : kPlayers) {
      // Ids of matches are told apart by the time, since entropy is none here.
      home_.player(name).thinks = absl::Milliseconds(250);
      other_.player(name).thinks = absl::Milliseconds(250);
    }
  }
  void Begin(int homes = 1) {
    home_.Boot();
    schedule::Spec spec =
        CompetitionFixture::SpecOf(schedule::Format::kLadder, {kPlayers, kPlayers + 4});
    spec.homes = homes;
    home_.Start(spec);
    home_.RunFor(absl::Seconds(1));
    other_.Boot();
    ASSERT_TRUE(Run([&] { return home_.Row().counted > 5; }));
    RunFor(absl::Seconds(6));
  }
  bool Run(const std::function<bool()>& done, absl::Duration limit = absl::Hours(2)) {
    return CompetitionFixture::RunTogether(&home_, &other_, done, limit);
  }
  void RunFor(absl::Duration duration) {
    Run([] { return false; }, duration);
  }
  void BreakStore(absl::Duration duration) {
    const absl::Status outage = absl::UnavailableError("the database is away");
    home_.process_store().outage = other_.process_store().outage = outage;
    RunFor(duration);
    home_.process_store().outage = other_.process_store().outage = absl::OkStatus();
  }
  static int64_t CountOf(const CompetitionFixture& referee, absl::string_view text) {
    return std::count_if(referee.log().begin(), referee.log().end(),
                         [&](const std::string& line) { return absl::StrContains(line, text); });
  }
  std::string OwnerNow() {
    const auto daemons = home_.store().ListDaemons();
    for (const store::Daemon& daemon : *daemons) {
      if (daemon.term == home_.Row().home_term) return daemon.owner;
    }
    return "";
  }
  bool Plays() {
    const int64_t begun = home_.Row().next_block;
    return Run([&] { return home_.Row().next_block > begun + 5; }, absl::Seconds(40));
  }

  CompetitionFixture home_{PlayersOf(4)};
  CompetitionFixture other_{PlayersOf(4), &home_};
};

// --- The store ---

// Whether there is something to write, or only to read.
class FleetLogs : public FleetFaults, public ::testing::WithParamInterface<bool> {};

TEST_P(FleetLogs, SayOnceThatAnOutageBeginsAndOnceThatItIsOver) {
  Begin(/*homes=*/2);
  for (const char* name : kPlayers) {
    if (GetParam()) break;
    home_.Disconnect(name);
    other_.Disconnect(name);
  }
  RunFor(absl::Seconds(20));
  const int64_t resumed = CountOf(home_, "it goes on");
  BreakStore(absl::Seconds(10));
  EXPECT_EQ(CountOf(home_, "it goes on"), resumed);
  RunFor(absl::Seconds(10));
  EXPECT_EQ(CountOf(home_, "it goes on"), resumed + 1);
  EXPECT_EQ(CountOf(home_, "cannot go on"), resumed + 1);
}

INSTANTIATE_TEST_SUITE_P(Writes, FleetLogs, ::testing::Bool());

TEST_F(FleetFaults, StoreIsUpAgainAfterAnOutageAlsoForOneThatOwnsNothing) {
  Begin();
  const auto up = [](CompetitionFixture& referee) {
    return referee.competitions().vitals().store_takes_changes;
  };
  EXPECT_TRUE(up(home_) && up(other_));
  home_.process_store().outage = other_.process_store().outage =
      absl::UnavailableError("the database is away");
  RunFor(absl::Seconds(6));
  EXPECT_FALSE(up(home_));
  EXPECT_FALSE(up(other_));
  // The owner alone is away for so long that it loses what it owns.
  other_.process_store().outage = absl::OkStatus();
  ASSERT_TRUE(Run([&] { return OwnerNow() == "other-1"; }, absl::Seconds(40)));
  EXPECT_FALSE(up(home_));
  home_.process_store().outage = absl::OkStatus();
  RunFor(absl::Seconds(6));
  EXPECT_TRUE(up(home_) && up(other_));
  EXPECT_EQ(OwnerNow(), "other-1");
}

TEST_F(FleetFaults, StoreThatRefusesChangesIsNotUpThoughItRenewsLeases) {
  Begin();
  home_.process_store().apply_status = absl::UnavailableError("it is read-only");
  RunFor(absl::Seconds(20));
  EXPECT_FALSE(home_.competitions().vitals().store_takes_changes);
  EXPECT_EQ(CountOf(home_, "it goes on"), 0);
  home_.process_store().apply_status = absl::OkStatus();
  RunFor(absl::Seconds(6));
  EXPECT_TRUE(home_.competitions().vitals().store_takes_changes);
}

class FleetOutages : public FleetFaults, public ::testing::WithParamInterface<int> {};

TEST_P(FleetOutages, NoOutageThatAllShareMovesACompetition) {
  Begin();
  const int64_t term = home_.Row().home_term;
  RunFor(absl::Milliseconds(700) * GetParam());
  for (const int seconds : {12, 40}) {
    BreakStore(absl::Seconds(seconds));
    RunFor(absl::Seconds(20));
    EXPECT_EQ(home_.Row().home_term, term) << seconds << " s";
    EXPECT_TRUE(Plays());
  }
  EXPECT_EQ(home_.Row().replayed, 0);
}

// At any time between two renewals.
INSTANTIATE_TEST_SUITE_P(Phases, FleetOutages, ::testing::Range(0, 8, 2));

TEST_F(FleetFaults, OwnerThatEndsInAnOutageIsReplacedSoonAfterIt) {
  Begin();
  home_.process_store().outage = other_.process_store().outage =
      absl::UnavailableError("the database is away");
  RunFor(absl::Seconds(20));
  home_.Kill();
  other_.RunFor(absl::Seconds(1));
  other_.process_store().outage = absl::OkStatus();
  const int64_t begun = other_.Row().next_block;
  EXPECT_TRUE(other_.RunUntil([&] { return other_.Row().next_block > begun; }, absl::Seconds(15)));
}

// --- The disk ---

TEST_F(FleetFaults, OwnerWithAFullDiskGivesItsCompetitionsAway) {
  Begin();
  ASSERT_EQ(OwnerNow(), "home-1");
  home_.host().HoldBack("the disk is full");
  ASSERT_TRUE(Run([&] { return OwnerNow() == "other-1"; }, absl::Seconds(12)));
  EXPECT_TRUE(Plays());
  EXPECT_EQ(home_.Row().replayed, 0);
  home_.host().HoldBack("");
  RunFor(absl::Seconds(30));
  EXPECT_EQ(OwnerNow(), "other-1") << "what was taken stays";
}

TEST_F(FleetFaults, OwnerWithAFullDiskKeepsWhatNobodyElseCanBegin) {
  Begin();
  other_.host().HoldBack("the disk is full");
  RunFor(absl::Seconds(6));
  home_.host().HoldBack("the disk is full");
  RunFor(absl::Seconds(30));
  EXPECT_EQ(OwnerNow(), "home-1");
  EXPECT_THAT(home_.competitions().Get("cup")->waits_for, HasSubstr("the disk is full"));
  home_.host().HoldBack("");
  RunFor(absl::Seconds(6));
  EXPECT_TRUE(Plays());
  EXPECT_EQ(OwnerNow(), "home-1");
}

TEST_F(FleetFaults, OneWithAFullDiskTakesNothingBesideOneThatCanBeginMatches) {
  Begin();
  other_.host().HoldBack("the disk is full");
  RunFor(absl::Seconds(6));
  home_.Kill();
  EXPECT_FALSE(other_.RunUntil([&] { return OwnerNow() == "other-1"; }, absl::Seconds(10)));
  home_.Boot();
  ASSERT_TRUE(Run([&] { return OwnerNow() == "home-2"; }, absl::Seconds(20)));
  RunFor(absl::Seconds(20));
  EXPECT_EQ(OwnerNow(), "home-2");
}

TEST_F(FleetFaults, HelperWithAFullDiskHandsBackWhatItHasNotBegun) {
  Begin(/*homes=*/2);
  other_.host().HoldBack("the disk is full");
  ASSERT_TRUE(Run(
      [&] {
        const std::vector<store::Block> open = home_.store().ListOpenBlocks(home_.Row().id).value();
        return std::none_of(open.begin(), open.end(),
                            [](const store::Block& block) { return block.owner == "other-1"; });
      },
      absl::Seconds(12)));
  EXPECT_TRUE(Plays());
}

}  // namespace
}  // namespace referee::testing
