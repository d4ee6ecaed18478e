// Tests of counting results: tallies, pair totals and silences, in the order of blocks.
#include "referee/competition/count.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "referee/competition/status.h"
#include "referee/rating/rating.h"

namespace referee::testing {
namespace {

using competition::CompetitionCount;
using competition::RecentCount;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A competition of bots "0", "1", ... at its start.
struct Start {
  store::Competition competition;
  std::vector<store::Entrant> entrants;

  explicit Start(int bots) {
    competition.spec.name = "cup";
    competition.spec.format = schedule::Format::kLadder;
    for (int i = 0; i < bots; ++i) {
      store::Entrant entrant;
      entrant.number = i;
      entrant.name = absl::StrCat(i);
      entrants.push_back(entrant);
    }
  }
};

// `ranks` by rotation, by seat there.
store::Block Played(std::vector<int> bots, std::vector<std::vector<int>> ranks) {
  store::Block block;
  block.pairing.bots = std::move(bots);
  block.state = store::BlockState::kPlayed;
  for (std::vector<int>& by_seat : ranks) {
    store::BlockMatch match;
    match.verdict.scores.assign(by_seat.size(), 0);
    match.verdict.ranks = std::move(by_seat);
    block.matches.push_back(match);
  }
  return block;
}

TEST(CompetitionCount, SeatsAreTakenByTheBotsOfTheirRotation) {
  Start start(2);
  CompetitionCount count(start.competition, start.entrants);
  // Seat a wins twice: each bot once.
  count.Add(Played({0, 1}, {{1, 2}, {1, 2}}));
  const store::CountBlocks change = count.change();
  ASSERT_THAT(change.entrants, SizeIs(2));
  for (const store::CountBlocks::Line& line : change.entrants) {
    EXPECT_EQ(line.tally.wins, 1);
    EXPECT_EQ(line.tally.losses, 1);
    EXPECT_EQ(line.tally.half_points, 2);
    EXPECT_EQ(line.tally.blocks, 1);
  }
  ASSERT_THAT(change.pairs, SizeIs(1));
  EXPECT_THAT(change.pairs[0].blocks, ElementsAre(0, 0, 1, 0, 0));
  EXPECT_EQ(change.to, 1);
}

TEST(CompetitionCount, PairTotalsAreFromTheLowerNumbersView) {
  Start start(2);
  CompetitionCount count(start.competition, start.entrants);
  // Bot 1 has seat a in rotation 0 and wins both; one draw makes three half points in the next.
  count.Add(Played({1, 0}, {{1, 2}, {2, 1}}));
  count.Add(Played({1, 0}, {{1, 2}, {1, 1}}));
  const store::CountBlocks change = count.change();
  ASSERT_THAT(change.pairs, SizeIs(1));
  EXPECT_THAT(change.pairs[0].blocks, ElementsAre(1, 1, 0, 0, 0));
  EXPECT_EQ(change.pairs[0].draws, 1);
}

TEST(CompetitionCount, MoreSeatsGetAPointForEachBotLeftBehind) {
  Start start(3);
  CompetitionCount count(start.competition, start.entrants);
  count.Add(Played({0, 1, 2}, {{1, 1, 3}, {1, 2, 3}, {3, 2, 1}}));
  const store::CountBlocks change = count.change();
  // Bot 0: level first, last, second; bot 1: level first, first, first; bot 2: last, second, last.
  EXPECT_EQ(change.entrants[0].tally.half_points, 3 + 0 + 2);
  EXPECT_EQ(change.entrants[1].tally.half_points, 3 + 4 + 4);
  EXPECT_EQ(change.entrants[2].tally.half_points, 0 + 2 + 0);
  EXPECT_EQ(change.entrants[1].tally.wins, 2);
  EXPECT_EQ(change.entrants[1].tally.draws, 1);
  EXPECT_THAT(change.pairs, IsEmpty());
}

TEST(CompetitionCount, RatingsFollowBlockByBlock) {
  Start start(2);
  CompetitionCount count(start.competition, start.entrants);
  const store::Block block = Played({0, 1}, {{1, 2}, {2, 1}});
  count.Add(block);
  count.Add(block);
  std::vector<rating::Rating> ratings(2);
  for (int i = 0; i < 2; ++i) ratings = rating::Update(ratings, store::OutcomeOf(block));
  EXPECT_EQ(count.change().entrants[0].tally.rating.mu, ratings[0].mu);
  EXPECT_EQ(count.change().entrants[1].tally.rating.sigma, ratings[1].sigma);
}

// Bot 0 does not answer in either match, of which the first begins and the last ends then, in
// seconds.
store::Block Silent(int from, int to) {
  store::Block silent = Played({0, 1}, {{2, 1}, {1, 2}});
  // It is in seat a, then in seat b.
  silent.matches[0].verdict.forfeits = {{Seat(0), match::Cause::kTimeout}};
  silent.matches[1].verdict.forfeits = {{Seat(1), match::Cause::kDisconnected}};
  silent.begin_time = absl::FromUnixSeconds(from);
  silent.end_time = absl::FromUnixSeconds(to);
  return silent;
}

TEST(CompetitionCount, ThirdSilenceInARowSetsABotAside) {
  Start start(2);
  CompetitionCount count(start.competition, start.entrants);
  count.Add(Silent(0, 10));
  count.Add(Silent(10, 20));
  EXPECT_FALSE(count.sets_aside());
  EXPECT_EQ(count.change().entrants[0].tally.silences, 2);
  count.Add(Silent(20, 30));
  EXPECT_TRUE(count.sets_aside());
  const store::CountBlocks change = count.change();
  EXPECT_THAT(change.entrants[0].set_aside, HasSubstr("did not answer in 3 matches in a row"));
  EXPECT_EQ(change.entrants[0].suspension,
            (store::Suspension{absl::FromUnixSeconds(90), absl::Minutes(1)}));
  EXPECT_THAT(change.entrants[1].set_aside, IsEmpty());
  EXPECT_FALSE(change.entrants[1].suspension.has_value());
  EXPECT_EQ(change.entrants[0].tally.forfeits, 6);
  EXPECT_EQ(change.entrants[1].tally.forfeits, 0);
}

TEST(CompetitionCount, SetsABotAsideAfterAsManySilencesAsTheSpecSays) {
  Start start(2);
  start.competition.spec.silence_limit = 2;
  CompetitionCount two(start.competition, start.entrants);
  two.Add(Silent(0, 10));
  EXPECT_FALSE(two.sets_aside());
  two.Add(Silent(10, 20));
  EXPECT_TRUE(two.sets_aside());
  start.competition.spec.silence_limit = 0;
  CompetitionCount never(start.competition, start.entrants);
  for (int i = 0; i < 9; ++i) never.Add(Silent(10 * i, 10 * i + 10));
  EXPECT_FALSE(never.sets_aside());
}

TEST(CompetitionCount, OfSilencesThatOverlapOneCounts) {
  Start start(2);
  const auto silences = [&](std::vector<store::Block> blocks) {
    CompetitionCount count(start.competition, start.entrants);
    for (const store::Block& block : blocks) count.Add(block);
    EXPECT_FALSE(count.sets_aside());
    return count.change().entrants[0].tally.silences;
  };
  EXPECT_EQ(silences({Silent(0, 10), Silent(1, 9), Silent(2, 12), Silent(9, 30)}), 1);
  EXPECT_EQ(silences({Silent(0, 10), Silent(9, 30), Silent(10, 30)}), 2);
  store::Block again = Silent(0, 30);
  again.attempt = 1;
  again.attempts.emplace_back();
  again.attempts[0].end_time = absl::FromUnixSeconds(9);
  EXPECT_EQ(silences({Silent(0, 10), again}), 1);
  again.attempts[0].end_time = absl::FromUnixSeconds(10);
  EXPECT_EQ(silences({Silent(0, 10), again}), 2) << "its attempt that counts began then";
}

TEST(CompetitionCount, SilencesThatOverlapCountOnceThoughTheyAreCountedOneByOne) {
  Start start(2);
  for (int from = 0; from < 4; ++from) {
    CompetitionCount count(start.competition, start.entrants);
    count.Add(Silent(from, 10));
    start.entrants[0].tally = count.change().entrants[0].tally;
    EXPECT_EQ(start.entrants[0].tally.silences, 1);
  }
}

TEST(CompetitionCount, ResignationsBeforeTheFirstTurnCountAsSilences) {
  Start start(2);
  CompetitionCount count(start.competition, start.entrants);
  for (int from = 0; from < 30; from += 10) {
    store::Block resigned = Silent(from, from + 10);
    resigned.matches[0].verdict.forfeits = {{Seat(0), match::Cause::kResigned, true}};
    resigned.matches[1].verdict.forfeits = {{Seat(1), match::Cause::kResigned, true}};
    count.Add(resigned);
  }
  EXPECT_THAT(
      count.change().entrants[0].set_aside,
      HasSubstr("resigned before its first turn, or did not answer, in 3 matches in a row"));
  EXPECT_THAT(count.change().entrants[1].set_aside, IsEmpty());
}

TEST(CompetitionCount, AnswerAndOtherForfeitsBreakARowOfSilences) {
  Start start(2);
  start.entrants[0].tally.silences = 2;
  store::Block illegal = Played({0, 1}, {{2, 1}, {1, 2}});
  illegal.matches[0].verdict.forfeits = {{Seat(0), match::Cause::kIllegal}};
  CompetitionCount count(start.competition, start.entrants);
  count.Add(illegal);
  EXPECT_FALSE(count.sets_aside());
  EXPECT_EQ(count.change().entrants[0].tally.silences, 0);
}

TEST(CompetitionCount, DroppedBlockIsCountedAndChangesNothing) {
  Start start(2);
  store::Block dropped;
  dropped.pairing.bots = {0, 1};
  dropped.state = store::BlockState::kDropped;
  CompetitionCount count(start.competition, start.entrants);
  EXPECT_TRUE(count.empty());
  count.Add(dropped);
  EXPECT_FALSE(count.empty());
  EXPECT_EQ(count.change().to, 1);
  EXPECT_THAT(count.change().entrants, IsEmpty());
}

TEST(CompetitionCount, WhatWentByClocksAndLinksIsCountedOfAllAttempts) {
  Start start(2);
  CompetitionCount count(start.competition, start.entrants);
  store::Block block = Played({0, 1}, {{1, 2}, {1, 2}});
  block.matches[1].verdict.times.seats = {{absl::Milliseconds(5), 0, 1}, {}};
  store::Attempt attempt;
  attempt.matches = block.matches;
  attempt.matches[1].verdict.ranks.clear();
  attempt.matches[1].verdict.times.late = Seat(0);  // bot 1 has seat a in rotation 1
  block.attempts = {attempt};
  count.Add(block);
  store::Block given_up = block;
  given_up.number = 1;
  given_up.state = store::BlockState::kVoid;
  given_up.matches.clear();
  given_up.attempts = {attempt, attempt};
  count.Add(given_up);
  const store::CountBlocks change = count.change();
  ASSERT_THAT(change.entrants, SizeIs(2));
  EXPECT_EQ(change.entrants[0].tally.conduct, (store::Conduct{3, 0, absl::ZeroDuration(), 0, 0}));
  EXPECT_EQ(change.entrants[1].tally.conduct, (store::Conduct{3, 3, absl::Milliseconds(20), 0, 4}));
  EXPECT_EQ(change.entrants[0].tally.blocks, 1);
}

TEST(RecentCount, ForgetsAfterTenMinutes) {
  RecentCount count;
  Instant now = Instant::FromNanos(1'000'000'000'000);
  count.Add(now, 3);
  now = now + absl::Minutes(9);
  count.Add(now);
  EXPECT_EQ(count.Get(now), 4);
  EXPECT_EQ(count.Get(now + absl::Minutes(2)), 1);
  EXPECT_EQ(count.Get(now + absl::Hours(10)), 0);
}

}  // namespace
}  // namespace referee::testing
