// Tests of a competition whose fleet shares replays.
//
// A block counts once its replays are in the replay store, where a new owner finds them.
#include "referee/competition/shared_replays.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/archive.h"
#include "tests/unit/competition/competition_fixture.h"

namespace referee::testing {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::SizeIs;

std::vector<Player> Sharers() {
  std::vector<Player> players(3);
  players[0].name = "ada";
  players[1].name = "bob";
  players[2].name = "cyd";
  return players;
}

// Where replays are shared; does what it is asked for when the test says so.
class HeldReplays final : public competition::SharedReplays {
 public:
  bool holds = true;
  std::string why;                       // it holds them
  std::map<MatchId, std::string> files;  // that are there, of other referees
  std::vector<MatchId> kept;             // of which it has said so
  std::map<MatchId, std::function<void()>> tasks;

  void Keep(const MatchId& match, std::function<void()> on_kept) override {
    tasks.emplace(match, [this, match, on_kept = std::move(on_kept)] {
      kept.push_back(match);
      on_kept();
    });
  }
  void Find(const MatchId& match,
            std::function<void(const absl::StatusOr<std::string>&)> found) override {
    tasks.emplace(match, [this, match, found = std::move(found)] {
      const auto file = files.find(match);
      if (file == files.end()) return found(absl::NotFoundError("nobody has put it there"));
      found(file->second);
    });
  }
  std::string WhyWaiting(const MatchId& match) const override {
    return tasks.count(match) > 0 ? why : "";
  }
  bool any_waits() const override { return !why.empty() && !tasks.empty(); }
  // Does what it was asked for, unless it holds that.
  void Work() {
    if (holds) return;
    for (auto& [match, task] : std::exchange(tasks, {})) task();
  }
};

class SharedReplays : public ::testing::Test {
 protected:
  SharedReplays() { contest_.shared_replays = &shared_; }

  bool RunToEnd() {
    return contest_.RunUntil([this] {
      shared_.Work();
      return contest_.state() == store::CompetitionState::kFinished;
    });
  }
  size_t Played() {
    const std::vector<store::Block> blocks = contest_.blocks();
    return static_cast<size_t>(std::count_if(
        blocks.begin(), blocks.end(),
        [](const store::Block& block) { return block.state == store::BlockState::kPlayed; }));
  }
  std::vector<MatchId> MatchesPlayed() {
    std::vector<MatchId> matches;
    for (const store::Block& block : contest_.blocks()) {
      for (const store::BlockMatch& match : block.matches) matches.push_back(match.id);
    }
    std::sort(matches.begin(), matches.end());
    return matches;
  }
  static schedule::Spec RoundRobin() {
    return CompetitionFixture::SpecOf(schedule::Format::kRoundRobin, {"ada", "bob", "cyd"});
  }

  // The first block is played, and the referee killed before its replays are shared.
  std::vector<MatchId> PlayABlockAndKill() {
    contest_.Boot();
    contest_.Start(RoundRobin());
    contest_.RunFor(absl::Minutes(1));
    std::vector<MatchId> matches = MatchesPlayed();
    contest_.Kill();
    shared_.tasks.clear();
    return matches;
  }

  HeldReplays shared_;
  CompetitionFixture contest_{Sharers()};
};

TEST_F(SharedReplays, BlockIsNotFinishedBeforeItsReplaysAreThere) {
  contest_.Boot();
  contest_.Start(RoundRobin());
  contest_.RunFor(absl::Minutes(1));
  EXPECT_THAT(shared_.tasks, SizeIs(2));
  EXPECT_EQ(Played(), 0u);
  shared_.why = "the disk is away";
  contest_.RunFor(absl::Minutes(1));
  EXPECT_THAT(contest_.competitions().Get("cup")->waits_for, HasSubstr("the disk is away"));

  shared_.holds = false;
  EXPECT_TRUE(RunToEnd());
  std::sort(shared_.kept.begin(), shared_.kept.end());
  EXPECT_THAT(shared_.kept, SizeIs(6));
  EXPECT_THAT(MatchesPlayed(), ElementsAreArray(shared_.kept));
}

TEST_F(SharedReplays, RefereeThatStopsWaitsUntilTheStoreKnowsWhatWasPlayed) {
  contest_.Boot();
  contest_.Start(RoundRobin());
  contest_.RunFor(absl::Minutes(1));
  contest_.competitions().Drain();
  contest_.RunFor(absl::Seconds(1));
  ASSERT_THAT(shared_.tasks, SizeIs(2));
  EXPECT_FALSE(contest_.competitions().AwaitEnds(absl::ZeroDuration()));
  EXPECT_EQ(Played(), 0u);
  shared_.holds = false;
  shared_.Work();
  contest_.RunFor(absl::Seconds(1));
  EXPECT_TRUE(contest_.competitions().AwaitEnds(absl::ZeroDuration()));
  EXPECT_EQ(Played(), 1u);
}

TEST_F(SharedReplays, BlockThatWaitsForThatTakesNoPlaceFromOthers) {
  schedule::Spec ladder =
      CompetitionFixture::SpecOf(schedule::Format::kLadder, {"ada", "bob", "cyd"});
  ladder.max_running = 1;
  contest_.Boot();
  contest_.Start(ladder);
  ASSERT_TRUE(contest_.RunUntil([this] { return !shared_.tasks.empty(); }));
  const auto held = shared_.tasks.extract(shared_.tasks.begin());
  shared_.holds = false;
  EXPECT_TRUE(contest_.RunUntil([this] {
    shared_.Work();
    return Played() == 10u;
  }));
  EXPECT_EQ(contest_.Row().counted, 0);
  EXPECT_EQ(contest_.blocks()[0].state, store::BlockState::kRunning);
  held.mapped()();
  EXPECT_TRUE(contest_.RunUntil([this] {
    shared_.Work();
    return contest_.Row().counted > 10;
  }));
}

TEST_F(SharedReplays, RefereeThatWasKilledMeanwhileSharesThemAgainAndCountsOnce) {
  const std::vector<MatchId> matches = PlayABlockAndKill();
  ASSERT_THAT(matches, SizeIs(2));
  contest_.Boot();
  contest_.RunFor(absl::Minutes(1));
  EXPECT_THAT(shared_.tasks, SizeIs(2));
  EXPECT_EQ(Played(), 0u);
  shared_.holds = false;
  EXPECT_TRUE(RunToEnd());
  EXPECT_THAT(shared_.kept, IsSupersetOf(matches));
  EXPECT_EQ(contest_.Row().counted, 3);
  EXPECT_EQ(contest_.Row().replayed, 0);
}

// As when another daemon played them, and died before it could finish their block.
TEST_F(SharedReplays, MatchesThatAreNotHereAreFoundThere) {
  const std::vector<MatchId> matches = PlayABlockAndKill();
  ASSERT_THAT(matches, SizeIs(2));
  const replay::Archive archive(contest_.data_dir());
  for (const MatchId& match : matches) {
    shared_.files[match] = archive.Read(match).value();
    ASSERT_EQ(std::remove(archive.PathOf(match).c_str()), 0);
  }
  contest_.Boot();
  contest_.RunFor(absl::Minutes(1));
  EXPECT_EQ(Played(), 0u);
  shared_.holds = false;
  EXPECT_TRUE(RunToEnd());
  EXPECT_THAT(shared_.kept, SizeIs(4)) << "those of the other blocks";
  EXPECT_EQ(contest_.Row().replayed, 0);
  EXPECT_THAT(MatchesPlayed(), IsSupersetOf(matches));
}

TEST_F(SharedReplays, WhatIsFoundThereIsVerifiedAndElseTheBlockIsPlayedAgain) {
  const std::vector<MatchId> matches = PlayABlockAndKill();
  ASSERT_THAT(matches, SizeIs(2));
  const replay::Archive archive(contest_.data_dir());
  shared_.files[matches[0]] = archive.Read(matches[0]).value();
  shared_.files[matches[1]] = archive.Read(matches[0]).value();
  for (const MatchId& match : matches) {
    ASSERT_EQ(std::remove(archive.PathOf(match).c_str()), 0);
  }
  // One is of another match, and the signature of the other is wrong.
  shared_.files[matches[0]].back() ^= 1;
  contest_.Boot();
  shared_.holds = false;
  EXPECT_TRUE(RunToEnd());
  EXPECT_EQ(contest_.Row().replayed, 1);
  const store::Attempt failed = contest_.blocks()[0].attempts.at(0);
  EXPECT_FALSE(failed.matches[0].recorded);
  EXPECT_FALSE(failed.matches[1].recorded);
  EXPECT_THAT(failed.reason, HasSubstr("is not it"));
}

TEST_F(SharedReplays, BlockThatIsPlayedAndWaitsForThemIsNotGivenUp) {
  contest_.Boot();
  contest_.Start(RoundRobin());
  contest_.RunFor(absl::Minutes(1));
  const absl::Status refused =
      contest_.competitions().DropBlock("cup", 0, "it waits", "olga").status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("all of it is played"));
}

TEST_F(SharedReplays, BlockWhoseMatchesAreLookedForInVainIsGivenUp) {
  const std::vector<MatchId> matches = PlayABlockAndKill();
  const replay::Archive archive(contest_.data_dir());
  for (const MatchId& match : matches) {
    ASSERT_EQ(std::remove(archive.PathOf(match).c_str()), 0);
  }
  contest_.Boot();
  contest_.RunFor(absl::Minutes(1));
  ASSERT_EQ(contest_.blocks()[0].state, store::BlockState::kRunning);
  ASSERT_TRUE(contest_.competitions().DropBlock("cup", 0, "lost with a disk", "olga").ok());
  contest_.RunFor(absl::Seconds(5));
  const store::Block block = contest_.blocks()[0];
  EXPECT_EQ(block.state, store::BlockState::kVoid);
  ASSERT_THAT(block.attempts, SizeIs(1));
  EXPECT_FALSE(block.attempts[0].matches[0].recorded);
}

TEST_F(SharedReplays, MatchThatIsNowhereIsLostAndItsBlockPlayedAgain) {
  const std::vector<MatchId> matches = PlayABlockAndKill();
  ASSERT_THAT(matches, SizeIs(2));
  const replay::Archive archive(contest_.data_dir());
  ASSERT_EQ(std::remove(archive.PathOf(matches.at(0)).c_str()), 0);
  contest_.Boot();
  shared_.holds = false;
  EXPECT_TRUE(RunToEnd());
  EXPECT_EQ(contest_.Row().replayed, 1);
}

}  // namespace
}  // namespace referee::testing
