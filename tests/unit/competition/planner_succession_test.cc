// Tests of an entrant that replaces another one: its rating, its blocks and its share of matches.
#include "referee/competition/planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/competition/planner_office.h"

namespace referee::testing {
namespace {

using competition::Planner;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::SizeIs;

// Another entrant takes the place of this one, with this rating.
void Succeed(Office* office, int bot, const rating::Rating& rating) {
  store::Entrant next;
  next.number = static_cast<int>(office->entrants.size());
  next.name = office->entrants[static_cast<size_t>(bot)].name;
  next.version = "2.0";
  next.tally.rating = rating;
  next.predecessor = bot;
  store::Entrant& before = office->entrants[static_cast<size_t>(bot)];
  before.presence = store::Presence::kWithdrawn;
  before.successor = next.number;
  office->entrants.push_back(next);
  office->situation.host.bots.push_back(office->situation.host.bots[static_cast<size_t>(bot)]);
  office->row = office->planner.now().row;
  ++office->row.version;
}

TEST(Planner, PairsWhoTookThePlaceOfAnotherByItsRating) {
  Office office(schedule::Format::kLadder, 3);
  office.entrants[0].tally.rating = {10, 2};
  office.entrants[1].tally.rating = {40, 2};
  office.row.spec.max_running = 1;
  std::vector<schedule::Entrant> known;
  for (const store::Entrant& entrant : office.entrants) known.push_back({entrant.tally.rating});
  office.planner.Load({office.row,
                       office.entrants,
                       schedule::Schedule::MakeLadder(office.row.spec, known, {}, 0),
                       {}});
  Succeed(&office, 2, {40, 8});
  ASSERT_TRUE(office.planner.TakeOver(office.row, office.entrants));
  const Transaction transaction = office.Step();
  ASSERT_THAT(transaction.begun, SizeIs(1));
  EXPECT_THAT(transaction.begun[0].pairing.bots, ::testing::UnorderedElementsAre(1, 3));
}

TEST(Planner, PlaysABlockAgainAlthoughAnotherTookThePlaceOfItsBot) {
  Office office(schedule::Format::kLadder, 2);
  office.row.spec.max_running = 1;
  office.Load({});
  office.Step();
  const int loser = office.planner.open().at(0).block.pairing.bots[1];
  office.End(0, WonEnd());
  office.End(1, VoidEnd());
  Succeed(&office, loser, {25, 8});
  ASSERT_TRUE(office.planner.TakeOver(office.row, office.entrants));
  const Transaction transaction = office.Step();
  EXPECT_THAT(ChangesOf<store::RetryBlock>(transaction), SizeIs(1))
      << "neither forfeited nor dropped";
  EXPECT_THAT(office.made, ::testing::Contains(0));
  // The bot itself leaves.
  office.End(2, WonEnd());
  office.End(3, VoidEnd());
  office.entrants.back().presence = store::Presence::kWithdrawn;
  office.row = office.planner.now().row;
  ++office.row.version;
  ASSERT_TRUE(office.planner.TakeOver(office.row, office.entrants));
  const auto finished = ChangesOf<store::FinishBlock>(office.Step());
  ASSERT_THAT(finished, SizeIs(1));
  EXPECT_THAT(finished[0].forfeited_by, ElementsAre(loser));
}

TEST(Planner, CountsWhatAllEntrantsOfABotHoldAsItsShare) {
  Office office(schedule::Format::kLadder, 4);
  office.row.spec.max_running = 2;  // a share of one block
  office.Load({});
  ASSERT_THAT(office.Step().begun, SizeIs(2));
  const std::vector<int> free = office.planner.open().at(1).block.pairing.bots;
  for (int bot = 0; bot < 4; ++bot) Succeed(&office, bot, {25, 8});
  ASSERT_TRUE(office.planner.TakeOver(office.row, office.entrants));
  office.EndBlock(2, WonEnd());
  const Transaction transaction = office.Step();
  ASSERT_THAT(transaction.begun, SizeIs(1));
  EXPECT_THAT(transaction.begun[0].pairing.bots,
              ::testing::UnorderedElementsAre(free[0] + 4, free[1] + 4))
      << "the others still play for those whose place was taken";
}

}  // namespace
}  // namespace referee::testing
