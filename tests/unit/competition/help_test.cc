// Tests of a competition on two referees: one owns it, the other plays some of its blocks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tests/unit/competition/competition_fixture.h"

namespace referee::testing {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr const char* kBotsOfBoth[] = {"ada", "bob", "cyd", "dan"};

std::vector<Player> PlayersOfBoth() {
  std::vector<Player> players;
  for (const char* name : kBotsOfBoth) {
    Player player;
    player.name = name;
    player.last_move = players.size() % 2 == 1;
    // Ids of matches are told apart by the time, since entropy is none here.
    player.thinks = absl::Milliseconds(20);
    players.push_back(player);
  }
  return players;
}

// All bots are at both referees, and take eight matches at each.
class Helped : public ::testing::Test {
 protected:
  Helped() {
    home_.owner = "home";
    home_.address = "home.example.org:7450";
    helper_.owner = "helper";
    helper_.address = "helper.example.org:7450";
  }

  void Begin(schedule::Format format,
             std::vector<std::string> entrants = {kBotsOfBoth, kBotsOfBoth + 4}) {
    home_.Boot();
    schedule::Spec spec = CompetitionFixture::SpecOf(format, std::move(entrants));
    spec.homes = 2;
    spec.time_control = time_control_;
    home_.Start(spec);
    home_.RunFor(absl::Seconds(1));
    helper_.Boot();
  }
  bool Run(const std::function<bool()>& done, absl::Duration limit = absl::Hours(2)) {
    return CompetitionFixture::RunTogether(&home_, &helper_, done, limit);
  }
  void RunFor(absl::Duration duration) {
    Run([] { return false; }, duration);
  }
  std::vector<store::Block> OpenBlocks() {
    return home_.store().ListOpenBlocks(home_.Row().id).value();
  }
  bool HelperPlays() {
    const std::vector<store::Block> open = OpenBlocks();
    return std::any_of(open.begin(), open.end(), [](const store::Block& block) {
      return block.owner == "helper-1" && !block.matches.empty();
    });
  }
  bool Finished() { return home_.state() == store::CompetitionState::kFinished; }
  void ExpectAllPlayed() {
    for (const store::Block& block : home_.blocks()) {
      EXPECT_EQ(block.state, store::BlockState::kPlayed) << block.number;
      EXPECT_THAT(block.attempts, IsEmpty()) << block.number;
    }
    for (const char* name : kBotsOfBoth) {
      EXPECT_EQ(home_.EntrantOf(name).presence, store::Presence::kIn) << name;
    }
  }
  store::Lease LeaseOf(const std::string& owner) {
    const std::vector<store::Daemon> daemons = home_.store().ListDaemons().value();
    for (const store::Daemon& daemon : daemons) {
      if (daemon.owner == owner) return {owner, daemon.term};
    }
    return {};
  }
  // Begins the next block for the helper, whatever that has said.
  void Give(rating::Pairing pairing) {
    const store::Competition row = home_.Row();
    const store::BeginBlock begin{row.id,      row.version, row.next_block, std::move(pairing),
                                  absl::Now(), "helper-1"};
    ASSERT_EQ(home_.store().Apply(LeaseOf("home-1"), {begin}), absl::OkStatus());
  }

  std::string time_control_;
  CompetitionFixture home_{PlayersOfBoth()};
  CompetitionFixture helper_{PlayersOfBoth(), &home_};
};

TEST_F(Helped, BlocksOfALadderArePlayedOnBothAndCountedByTheHome) {
  Begin(schedule::Format::kLadder);
  std::set<std::string> owners;
  ASSERT_TRUE(Run([&] {
    for (const store::Block& block : OpenBlocks()) owners.insert(block.owner);
    return home_.Row().counted > 60;
  }));
  EXPECT_THAT(owners, ElementsAre("helper-1", "home-1"));
  EXPECT_EQ(home_.Row().replayed, 0);
  EXPECT_THAT(helper_.log(), Contains(HasSubstr("and this one helps")));
  EXPECT_THAT(helper_.competitions().Get("cup")->waits_for, HasSubstr(home_.address));
}

TEST_F(Helped, ARoundRobinIsPlayedToItsEnd) {
  for (const char* name : kBotsOfBoth) {
    home_.player(name).max_matches = 2;
    home_.player(name).thinks = absl::Seconds(1);
  }
  Begin(schedule::Format::kRoundRobin);
  bool helped = false;
  ASSERT_TRUE(Run([&] {
    helped = helped || HelperPlays();
    return Finished();
  }));
  EXPECT_TRUE(helped);
  EXPECT_THAT(home_.blocks(), SizeIs(6));
  ExpectAllPlayed();
}

TEST_F(Helped, BotsThatAreAtTheHelperOnlyPlayThere) {
  Begin(schedule::Format::kLadder);
  for (const char* name : kBotsOfBoth) home_.Divide(name, 0);
  ASSERT_TRUE(Run([&] { return HelperPlays(); }, absl::Seconds(10)));
  const int64_t begun = home_.Row().next_block;
  ASSERT_TRUE(Run([&] { return home_.Row().counted > begun + 10; }));
  for (const store::Block& block : OpenBlocks()) EXPECT_EQ(block.owner, "helper-1");
}

TEST_F(Helped, OneThatJoinsLaterPlaysAtTheHelperToo) {
  Begin(schedule::Format::kLadder, {"ada", "bob"});
  ASSERT_TRUE(Run([&] { return HelperPlays(); }));
  ASSERT_TRUE(home_.competitions().Join("cup", "cyd", "local").ok());
  ASSERT_TRUE(Run([&] {
    for (const store::Block& block : OpenBlocks()) {
      const std::vector<int>& bots = block.pairing.bots;
      const bool plays = block.owner == "helper-1" && !block.matches.empty();
      if (plays && std::count(bots.begin(), bots.end(), 2) > 0) return true;
    }
    return false;
  }));
  EXPECT_EQ(home_.Row().replayed, 0);
}

TEST_F(Helped, WhatCannotBePlayedAtTheHelperGoesBackToTheHome) {
  for (const char* name : kBotsOfBoth) {
    home_.Disconnect(name);
    helper_.Disconnect(name);
  }
  Begin(schedule::Format::kRoundRobin);
  RunFor(absl::Seconds(6));
  Give({{0, 1}});
  RunFor(absl::Seconds(5));
  EXPECT_THAT(OpenBlocks(), ElementsAre(Field(&store::Block::owner, "helper-1")));
  RunFor(absl::Seconds(8));
  ASSERT_THAT(OpenBlocks(), ElementsAre(Field(&store::Block::owner, "home-1")));
  EXPECT_THAT(home_.blocks().at(0).attempts.at(0).reason, HasSubstr("did not come"));
  for (const char* name : kBotsOfBoth) home_.Connect(name);
  ASSERT_TRUE(Run([&] { return Finished(); }));
  EXPECT_THAT(home_.blocks(), Each(Field(&store::Block::state, store::BlockState::kPlayed)));
}

TEST_F(Helped, BotsThatTakeTooFewMatchesAtTheHelperSendTheBlockBackAtOnce) {
  for (const char* name : kBotsOfBoth) {
    home_.Disconnect(name);
    helper_.player(name).max_matches = 1;
  }
  Begin(schedule::Format::kRoundRobin);
  RunFor(absl::Seconds(6));
  Give({{0, 1}});
  RunFor(absl::Seconds(1));
  ASSERT_THAT(OpenBlocks(), ElementsAre(Field(&store::Block::owner, "home-1")));
  EXPECT_THAT(home_.blocks().at(0).attempts.at(0).reason,
              HasSubstr("were not made at the referee that was to play it"));
}

TEST_F(Helped, WhenTheHelperIsKilledItsBlocksArePlayedAtTheHome) {
  Begin(schedule::Format::kLadder);
  for (const char* name : kBotsOfBoth) helper_.player(name).answers = false;
  ASSERT_TRUE(Run([&] { return HelperPlays(); }));
  helper_.Kill();
  const int64_t begun = home_.Row().next_block;
  ASSERT_TRUE(home_.RunUntil([&] { return home_.Row().counted > begun; }, absl::Seconds(20)));
  const std::vector<store::Block> blocks = home_.blocks();
  for (int64_t number = 0; number < begun; ++number) {
    EXPECT_EQ(blocks[static_cast<size_t>(number)].state, store::BlockState::kPlayed) << number;
  }
}

TEST_F(Helped, WhenTheHomeIsKilledTheHelperBecomesIt) {
  Begin(schedule::Format::kLadder);
  ASSERT_TRUE(Run([&] { return HelperPlays(); }));
  home_.Kill();
  const int64_t begun = helper_.Row().next_block;
  ASSERT_TRUE(
      helper_.RunUntil([&] { return helper_.Row().next_block > begun + 10; }, absl::Seconds(30)));
  EXPECT_THAT(helper_.log(), Contains(HasSubstr("lives here")));
}

TEST_F(Helped, HelperThatDrainsEndsWhatItPlaysAndIsGivenNoMore) {
  Begin(schedule::Format::kLadder);
  ASSERT_TRUE(Run([&] { return HelperPlays(); }));
  helper_.competitions().Drain();
  RunFor(absl::Seconds(6));
  EXPECT_FALSE(HelperPlays());
  const int64_t counted = home_.Row().counted;
  ASSERT_TRUE(Run([&] { return home_.Row().counted > counted + 20; }));
  for (const store::Block& block : OpenBlocks()) EXPECT_EQ(block.owner, "home-1");
  EXPECT_EQ(home_.Row().replayed, 0);
}

TEST_F(Helped, ItIsPlayedAtTheHomeAloneFromWhenAnOrganiserSaysSo) {
  Begin(schedule::Format::kLadder);
  ASSERT_TRUE(Run([&] { return HelperPlays(); }));
  const auto alone = [](schedule::Spec* spec) {
    spec->homes = 1;
    return absl::OkStatus();
  };
  ASSERT_TRUE(home_.competitions().Update("cup", alone, "local").ok());
  RunFor(absl::Seconds(8));
  const int64_t counted = home_.Row().counted;
  ASSERT_TRUE(Run([&] {
    EXPECT_FALSE(HelperPlays());
    return home_.Row().counted > counted + 20;
  }));
  EXPECT_EQ(home_.Row().replayed, 0);
}

TEST_F(Helped, HomeFollowsWhatAnOrganiserChangesAtAnotherReferee) {
  home_.player("ada").thinks = absl::Milliseconds(300);
  home_.Boot();
  schedule::Spec spec = CompetitionFixture::SpecOf(schedule::Format::kLadder, {"ada", "bob"});
  spec.pace = 1;
  spec.time_control = "1s";
  home_.Start(spec);
  home_.RunFor(absl::Seconds(1));
  helper_.Boot();
  const auto set = [&](double pace, const std::string& time_control) {
    const auto change = [&](schedule::Spec* changed) {
      changed->pace = pace;
      changed->time_control = time_control;
      return absl::OkStatus();
    };
    ASSERT_TRUE(helper_.competitions().Update("cup", change, "olga").ok());
  };
  RunFor(absl::Minutes(3));
  const int64_t slow = home_.Row().next_block;
  EXPECT_LE(slow, 5);
  set(60, "1s");
  RunFor(absl::Minutes(1));
  EXPECT_GE(home_.Row().next_block - slow, 10);
  EXPECT_EQ(home_.EntrantOf("ada").tally.forfeits, 0);
  set(60, "100ms");
  EXPECT_TRUE(Run([&] { return home_.EntrantOf("ada").tally.forfeits > 0; }, absl::Seconds(15)));
}

TEST_F(Helped, OrganiserMayGiveUpABlockWhereItIsPlayed) {
  time_control_ = "1h";
  for (const char* name : kBotsOfBoth) {
    home_.player(name).answers = false;
    helper_.player(name).answers = false;
  }
  Begin(schedule::Format::kLadder);
  ASSERT_TRUE(Run([&] { return HelperPlays(); }));
  int64_t number = -1;
  for (const store::Block& block : OpenBlocks()) {
    if (block.owner == "helper-1" && !block.matches.empty()) number = block.number;
  }
  const absl::Status at_home =
      home_.competitions().DropBlock("cup", number, "stuck", "local").status();
  EXPECT_TRUE(absl::IsFailedPrecondition(at_home)) << at_home;
  EXPECT_THAT(std::string(at_home.message()), HasSubstr("another"));
  ASSERT_TRUE(helper_.competitions().DropBlock("cup", number, "stuck", "local").ok());
  RunFor(absl::Seconds(1));
  EXPECT_EQ(home_.store().GetBlock(home_.Row().id, number)->state, store::BlockState::kVoid);
}

TEST_F(Helped, WithoutBotsNothingIsGiven) {
  for (const char* name : kBotsOfBoth) helper_.Disconnect(name);
  Begin(schedule::Format::kLadder);
  ASSERT_TRUE(Run([&] {
    EXPECT_FALSE(HelperPlays());
    return home_.Row().counted > 20;
  }));
}

}  // namespace
}  // namespace referee::testing
