// Tests of which referee owns each competition, and of the addresses that bots dial.
#include "referee/competition/homes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "tests/unit/competition/competition_fixture.h"

namespace referee::testing {
namespace {

using competition::HomeOrder;
using competition::Homes;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

// --- Whose turn it is ---

std::vector<std::string> Owners(int count) {
  std::vector<std::string> owners;
  for (int i = 0; i < count; ++i) owners.push_back(absl::StrCat("owner-", i));
  return owners;
}

TEST(HomeOrder, IsTheSameWhereverItIsAsked) {
  const std::vector<std::string> owners = Owners(4);
  std::vector<std::string> reversed(owners.rbegin(), owners.rend());
  EXPECT_EQ(HomeOrder("cup", owners), HomeOrder("cup", reversed));
  EXPECT_THAT(HomeOrder("cup", owners), ::testing::UnorderedElementsAreArray(owners));
}

TEST(HomeOrder, GivesEachOwnerItsShareOfCompetitions) {
  std::map<std::string, int> first;
  for (int i = 0; i < 4'000; ++i) ++first[HomeOrder(absl::StrCat("cup ", i), Owners(4)).front()];
  ASSERT_THAT(first, SizeIs(4));
  for (const auto& [owner, count] : first) {
    EXPECT_GT(count, 850) << owner;
    EXPECT_LT(count, 1'150) << owner;
  }
}

TEST(HomeOrder, OwnerThatGoesMovesNoOther) {
  for (int i = 0; i < 100; ++i) {
    const std::string name = absl::StrCat("cup ", i);
    std::vector<std::string> all = HomeOrder(name, Owners(5));
    all.erase(std::find(all.begin(), all.end(), "owner-4"));
    EXPECT_EQ(HomeOrder(name, Owners(4)), all);
  }
}

class HomesOfAFleet : public ::testing::Test {
 protected:
  HomesOfAFleet() {
    cup_.id = store::CompetitionId("1");
    cup_.spec.name = "cup";
    for (int i = 0; i < 2; ++i) {
      daemons_.push_back({order_[static_cast<size_t>(i)], i + 1, absl::Seconds(10), "", false});
    }
  }
  // Whether the one whose turn comes at this place is to take the cup.
  bool Takes(Homes* homes, absl::Duration at, bool draining = false) {
    return !homes->ToTake({cup_}, daemons_, draining, Instant() + at).empty();
  }

  const std::vector<std::string> order_ = HomeOrder("cup", {"x", "y"});
  store::Competition cup_;
  std::vector<store::Daemon> daemons_;
  Homes first_{order_[0]};
  Homes second_{order_[1]};
};

TEST_F(HomesOfAFleet, FirstTakesWhatIsFreeAtOnceAndTheNextWhenItDoesNot) {
  EXPECT_TRUE(Takes(&first_, absl::ZeroDuration()));
  EXPECT_FALSE(Takes(&second_, absl::Seconds(100)));
  EXPECT_EQ(second_.asks_again(), Instant() + absl::Seconds(100) + limits::kHomePatience);
  EXPECT_FALSE(Takes(&second_, absl::Seconds(109)));
  EXPECT_TRUE(Takes(&second_, absl::Seconds(110)));
}

TEST_F(HomesOfAFleet, WhoseLeaseLastsKeepsItWhoeverJoins) {
  cup_.home_term = 2;
  EXPECT_FALSE(Takes(&first_, absl::ZeroDuration()));
  EXPECT_EQ(first_.asks_again(), Instant::InfiniteFuture());
  // What was seen as free before counts from the next time on.
  cup_.home_term = 3;
  EXPECT_FALSE(Takes(&second_, absl::Seconds(20)));
}

TEST_F(HomesOfAFleet, OneThatDrainsTakesNoneAndGivesUpWhatItHas) {
  cup_.home_term = 1;
  daemons_[0].draining = true;
  EXPECT_TRUE(Takes(&second_, absl::ZeroDuration())) << "no turn of the one that drains";
  EXPECT_FALSE(Takes(&first_, absl::ZeroDuration(), true));
  cup_.home_term = 0;
  EXPECT_FALSE(Takes(&first_, absl::Hours(1), true));
}

TEST_F(HomesOfAFleet, OneThatCanBeginNoMatchGivesWhatItHasToOneThatCan) {
  cup_.home_term = 1;
  daemons_[0].unable = true;
  EXPECT_FALSE(Takes(&first_, absl::ZeroDuration()));
  EXPECT_TRUE(Takes(&second_, absl::ZeroDuration()));
  cup_.home_term = 0;
  EXPECT_FALSE(Takes(&first_, absl::Hours(1))) << "another one can";
}

TEST_F(HomesOfAFleet, OnesThatCanBeginNoMatchKeepWhatTheyHaveAndTakeWhatIsFree) {
  cup_.home_term = 1;
  daemons_[0].unable = daemons_[1].unable = true;
  EXPECT_FALSE(Takes(&second_, absl::Hours(1)));
  daemons_[0].draining = true;
  EXPECT_TRUE(Takes(&second_, absl::Hours(1))) << "the other one ends";
  daemons_[0].draining = false;
  cup_.home_term = 0;
  EXPECT_TRUE(Takes(&first_, absl::Hours(1)));
}

// --- Who helps it ---

class HelpersOfAFleet : public ::testing::Test {
 protected:
  HelpersOfAFleet() {
    cup_.spec.name = "cup";
    cup_.home_term = 3;
    cup_.spec.homes = 3;
    for (int i = 0; i < 5; ++i) {
      const std::string& owner = order_[static_cast<size_t>(i)];
      daemons_.push_back({owner, i + 1, absl::Seconds(10), absl::StrCat(owner, ":1"), false});
    }
  }
  std::vector<std::string> Helpers() const {
    std::vector<std::string> owners;
    for (const store::Daemon* const helper : competition::HelpersOf(cup_, daemons_)) {
      owners.push_back(helper->owner);
    }
    return owners;
  }

  const std::vector<std::string> order_ = HomeOrder("cup", Owners(5));
  store::Competition cup_;
  std::vector<store::Daemon> daemons_;
};

TEST_F(HelpersOfAFleet, AreTheFirstInItsOrderBesideItsHome) {
  EXPECT_THAT(Helpers(), ElementsAre(order_[0], order_[1]));
  cup_.home_term = 1;
  EXPECT_THAT(Helpers(), ElementsAre(order_[1], order_[2]));
  cup_.spec.homes = 8;
  EXPECT_THAT(Helpers(), SizeIs(4)) << "there are no more";
  cup_.spec.homes = 1;
  EXPECT_THAT(Helpers(), IsEmpty());
}

TEST_F(HelpersOfAFleet, NeitherDrainNorCannotBeDialledNorCanBeginNoMatch) {
  daemons_[0].draining = true;
  daemons_[1].address.clear();
  daemons_[3].unable = true;
  EXPECT_THAT(Helpers(), ElementsAre(order_[4]));
}

TEST_F(HelpersOfAFleet, AreNoneWhileItHasNoHome) {
  cup_.home_term = 9;
  EXPECT_THAT(Helpers(), IsEmpty());
}

TEST_F(HelpersOfAFleet, OthersAreThoseThatDoNotDrainAndCanBeDialled) {
  daemons_[1].draining = true;
  daemons_[2].address = "";
  std::vector<std::string> expected = {daemons_[3].address, daemons_[4].address};
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(competition::OthersOf(daemons_[0].owner, daemons_), expected);
}

// --- Two referees on one store ---

// The competition lives on the one that is called home, where nobody is connected at first.
class TwoReferees : public ::testing::Test {
 protected:
  TwoReferees() {
    home_.owner = "home";
    home_.address = "home.example.org:7450";
    other_.owner = "other";
    other_.address = "other.example.org:7450";
    for (const char* name : kNames) {
      home_.Disconnect(name);
      // Ids of matches are told apart by the time, since entropy is none here.
      home_.player(name).thinks = absl::Milliseconds(20);
      other_.player(name).thinks = absl::Milliseconds(20);
    }
  }
  static constexpr const char* kNames[] = {"ada", "bob", "cyd", "dan"};

  void Begin(schedule::Format format) {
    home_.Boot();
    schedule::Spec spec = CompetitionFixture::SpecOf(format, {kNames, kNames + 4});
    spec.absence_limit = absl::Seconds(60);
    spec.max_running = max_running_;
    spec.time_control = time_control_;
    home_.Start(spec);
    home_.RunFor(absl::Seconds(1));
    other_.Boot();
  }
  // The bots are connected to the home as well.
  void Follow() {
    for (const char* name : kNames) home_.Connect(name);
  }
  bool Run(const std::function<bool()>& done, absl::Duration limit = absl::Hours(2)) {
    return CompetitionFixture::RunTogether(&home_, &other_, done, limit);
  }
  void RunFor(absl::Duration duration) {
    Run([] { return false; }, duration);
  }
  bool Finished() { return home_.state() == store::CompetitionState::kFinished; }
  void ExpectAllIn() {
    for (const char* name : kNames) {
      EXPECT_EQ(home_.EntrantOf(name).presence, store::Presence::kIn) << name;
    }
  }

  // Of the competition.
  int max_running_ = 0;
  std::string time_control_;

  CompetitionFixture home_{PlayersOf(4)};
  CompetitionFixture other_{PlayersOf(4), &home_};
};

class TwoRefereesAndAFormat : public TwoReferees,
                              public ::testing::WithParamInterface<schedule::Format> {};

TEST_P(TwoRefereesAndAFormat, IsPlayedAtTheHomeAloneAndNobodyIsWithdrawn) {
  Begin(GetParam());
  RunFor(absl::Seconds(6));
  Follow();
  ASSERT_TRUE(Run([&] { return Finished(); }));
  ExpectAllIn();
  EXPECT_EQ(home_.Row().replayed, 0);
  for (const store::Block& block : home_.blocks()) {
    EXPECT_EQ(block.state, store::BlockState::kPlayed);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, TwoRefereesAndAFormat,
                         ::testing::Values(schedule::Format::kRoundRobin,
                                           schedule::Format::kKnockout, schedule::Format::kSwiss));

TEST_F(TwoReferees, BotsAreToldWhereToDialWhenTheirRefereeIsGone) {
  Begin(schedule::Format::kRoundRobin);
  RunFor(absl::Seconds(6));
  home_.Connect("ada");
  EXPECT_THAT(home_.FleetOf("ada"), ElementsAre(other_.address));
  EXPECT_THAT(other_.FleetOf("ada"), ElementsAre(home_.address));
  home_.Kill();
  EXPECT_TRUE(other_.RunUntil([&] { return other_.FleetOf("ada").empty(); },
                              limits::kBlockLease + absl::Seconds(6)));
}

TEST_F(TwoReferees, OneThatDrainsIsNotNamedAsAnother) {
  Begin(schedule::Format::kRoundRobin);
  Follow();
  home_.competitions().Drain();
  RunFor(absl::Seconds(7));
  EXPECT_THAT(other_.FleetOf("ada"), IsEmpty());
  EXPECT_THAT(home_.FleetOf("ada"), ElementsAre(other_.address));
}

TEST_F(TwoReferees, OtherOneSaysWhereTheCompetitionLivesAndNamesNobody) {
  Begin(schedule::Format::kRoundRobin);
  RunFor(absl::Seconds(6));
  const auto view = other_.competitions().Get("cup").value();
  EXPECT_THAT(view.waits_for, HasSubstr(home_.address));
  EXPECT_THAT(view.waits_for, Not(HasSubstr("ada")));
  EXPECT_THAT(home_.competitions().Get("cup")->waits_for, HasSubstr("ada"));
}

TEST_F(TwoReferees, WhatAnOrganiserChangesAtTheOtherOneIsSeenByTheHome) {
  Begin(schedule::Format::kLadder);
  Follow();
  ASSERT_TRUE(Run([&] { return home_.Row().counted > 5; }));
  ASSERT_TRUE(other_.competitions().Pause("cup", "local").ok());
  RunFor(absl::Seconds(6));
  const int64_t begun = home_.Row().next_block;
  RunFor(absl::Seconds(20));
  EXPECT_EQ(home_.Row().next_block, begun);
  ASSERT_TRUE(other_.competitions().Resume("cup", "local").ok());
  ASSERT_TRUE(Run([&] { return home_.Row().next_block > begun; }, absl::Seconds(10)));
}

TEST_F(TwoReferees, WhatOnlyTheHomeCanDoIsRefusedWithItsAddress) {
  for (const char* name : kNames) home_.player(name).answers = false;
  time_control_ = "1h";
  Begin(schedule::Format::kRoundRobin);
  Follow();
  RunFor(absl::Seconds(6));
  const absl::Status dropped = other_.competitions().DropBlock("cup", 0, "stuck", "local").status();
  EXPECT_TRUE(absl::IsFailedPrecondition(dropped)) << dropped;
  EXPECT_THAT(std::string(dropped.message()), HasSubstr(home_.address));
}

TEST_F(TwoReferees, WhoWatchesAtTheOtherOneHearsOfTheHomesBlocks) {
  Begin(schedule::Format::kLadder);
  Follow();
  RunFor(absl::Seconds(6));
  int told = 0;
  ASSERT_TRUE(other_.competitions().Watch("cup", [&] { ++told; }).ok());
  const int64_t counted = home_.Row().counted;
  ASSERT_TRUE(Run([&] { return home_.Row().counted > counted; }));
  RunFor(absl::Seconds(6));
  EXPECT_GE(told, 1);
}

TEST_F(TwoReferees, WhenTheHomeIsKilledTheOtherGoesOnWithinTwentySeconds) {
  Begin(schedule::Format::kLadder);
  Follow();
  ASSERT_TRUE(Run([&] { return home_.Row().counted > 5; }));
  home_.Kill();
  const int64_t begun = other_.Row().next_block;
  ASSERT_TRUE(other_.RunUntil([&] { return other_.Row().next_block > begun; }, absl::Seconds(20)));
  EXPECT_THAT(other_.log(), Contains(AllOf(HasSubstr("'cup'"), HasSubstr("lives here"))));
  ExpectAllIn();
}

TEST_F(TwoReferees, OneThatComesTakesNothingFromTheHome) {
  Begin(schedule::Format::kLadder);
  Follow();
  RunFor(absl::Minutes(1));
  EXPECT_EQ(home_.store().ListLeaseHolders()->at(0).homes, std::vector<std::string>{"cup"});
  EXPECT_THAT(other_.log(), Not(Contains(HasSubstr("lives here"))));
}

TEST_F(TwoReferees, HomeThatDrainsEndsWhatItPlaysAndNothingIsVoid) {
  for (const char* name : kNames) {
    home_.player(name).thinks = absl::Milliseconds(400);
    other_.player(name).thinks = absl::Milliseconds(400);
  }
  max_running_ = 1;
  Begin(schedule::Format::kRoundRobin);
  Follow();
  RunFor(absl::Seconds(1));
  ASSERT_EQ(home_.Row().next_block, 1);
  ASSERT_EQ(home_.Row().counted, 0);
  home_.competitions().Drain();
  RunFor(absl::Seconds(7));
  ASSERT_TRUE(Run([&] { return Finished(); }));
  ExpectAllIn();
  ASSERT_THAT(home_.blocks(), SizeIs(6));
  for (const store::Block& block : home_.blocks()) {
    EXPECT_EQ(block.state, store::BlockState::kPlayed);
    EXPECT_THAT(block.attempts, IsEmpty());
  }
}

TEST_F(TwoReferees, HomeThatDrainsBeginsBlocksUntilAnotherTakesItOrNobodyWaitsAnyMore) {
  Begin(schedule::Format::kLadder);
  Follow();
  RunFor(absl::Seconds(1));
  // The other one is there, and takes nothing.
  other_.process_store().renew_status = absl::UnavailableError("cut off");
  home_.competitions().Drain();
  RunFor(absl::Seconds(1));
  const int64_t begun = home_.Row().next_block;
  RunFor(absl::Seconds(1));
  EXPECT_GT(home_.Row().next_block, begun);
  EXPECT_FALSE(home_.competitions().AwaitHandOver(absl::ZeroDuration()));
  const int64_t last = home_.Row().next_block;
  RunFor(absl::Seconds(3));
  EXPECT_EQ(home_.Row().next_block, last);
  EXPECT_EQ(home_.Row().counted, last);
  EXPECT_EQ(home_.Row().replayed, 0);
}

TEST_F(TwoReferees, BlockThatComesToNothingWhereItWasBegunIsPlayedAgainAtTheNewHome) {
  for (const char* name : kNames) home_.player(name).answers = false;
  max_running_ = 1;
  time_control_ = "1h";
  Begin(schedule::Format::kRoundRobin);
  Follow();
  RunFor(absl::Seconds(1));
  ASSERT_THAT(home_.blocks().at(0).matches, SizeIs(2));
  home_.competitions().Drain();
  RunFor(absl::Seconds(7));
  const store::Block before = home_.blocks().at(0);
  EXPECT_EQ(before.state, store::BlockState::kRunning);
  EXPECT_EQ(home_.Row().next_block, 1) << "one at a time";
  ASSERT_EQ(home_.host().Cancel(before.matches.at(0).id, "stop"), absl::OkStatus());
  ASSERT_TRUE(Run([&] { return Finished(); }));
  const store::Block after = home_.blocks().at(0);
  EXPECT_EQ(after.state, store::BlockState::kPlayed);
  EXPECT_THAT(after.attempts, SizeIs(1));
  ExpectAllIn();
}

TEST_F(TwoReferees, OneThatIsAskedToDrainDoes) {
  Begin(schedule::Format::kLadder);
  Follow();
  RunFor(absl::Seconds(1));
  const std::string owner = home_.store().ListLeaseHolders()->at(0).owner;
  ASSERT_TRUE(home_.store().AskToDrain(owner, store::AuditEntry()).ok());
  ASSERT_TRUE(Run(
      [&] {
        return home_.store().ListLeaseHolders()->at(1).homes == std::vector<std::string>{"cup"};
      },
      absl::Seconds(11)));
  const int64_t begun = home_.Row().next_block;
  ASSERT_TRUE(Run([&] { return home_.Row().next_block > begun + 5; }));
}

TEST(OneReferee, ThatDrainsKeepsWhatNobodyElseTakes) {
  CompetitionFixture alone(PlayersOf(4));
  alone.address = "alone.example.org:7450";
  alone.Boot();
  alone.Start(CompetitionFixture::SpecOf(schedule::Format::kLadder, {"ada", "bob"}));
  ASSERT_TRUE(alone.RunUntil([&] { return alone.Row().counted > 5; }));
  alone.competitions().Drain();
  alone.RunFor(absl::Seconds(1));
  ASSERT_TRUE(alone.RunUntil([&] { return alone.Row().counted == alone.Row().next_block; }));
  EXPECT_TRUE(alone.competitions().AwaitHandOver(absl::ZeroDuration()));
  alone.Kill();
  alone.Boot();
  const int64_t begun = alone.Row().next_block;
  EXPECT_TRUE(alone.RunUntil([&] { return alone.Row().next_block > begun; }, absl::Seconds(2)));
}

}  // namespace
}  // namespace referee::testing
