#include "referee/ctl/rules/perft.h"

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "tests/unit/ctl/countdown.h"

namespace referee::ctl {
namespace {

using Rolls = std::vector<std::vector<int>>;

PerftCounts Count(const std::string& position, int depth, const Rolls& rolls = {}) {
  const auto game = *games::Countdown().Create(2, {});
  const std::unique_ptr<games::State> state = *game->ParsePosition(position);
  const absl::StatusOr<PerftCounts> counts = Perft(*state, depth, rolls);
  EXPECT_TRUE(counts.ok()) << counts.status();
  return counts.ok() ? *counts : PerftCounts();
}

void ExpectCounts(const PerftCounts& counts, uint64_t legal, uint64_t distinct) {
  EXPECT_EQ(counts.legal, legal);
  EXPECT_EQ(counts.distinct, distinct);
}

TEST(Perft, OneTurnCountsTheLegalMoves) { ExpectCounts(Count("10/2 a 31", 1), 2, 2); }

TEST(Perft, SequencesThatMeetAreOnePosition) {
  // 10-3-1 and 10-1-3 are both 6: four sequences, three positions.
  ExpectCounts(Count("10/2 a 31", 2), 4, 3);
  ExpectCounts(Count("10/2 a 31", 3), 8, 4);
}

TEST(Perft, TheDiceOfThePositionServeAllTurnsUnlessOthersAreGiven) {
  ExpectCounts(Count("10/2 a 66", 2), 1, 1);
  ExpectCounts(Count("10/2 a 66", 2, {{1, 2}}), 4, 3);
}

TEST(Perft, EachTurnHasItsRollAndTheLastServesTheRest) {
  ExpectCounts(Count("10/2 a 66", 1, {{1, 2}, {3, 3}}), 2, 2);
  ExpectCounts(Count("10/2 a 66", 2, {{1, 2}, {3, 3}}), 2, 2);
  ExpectCounts(Count("10/2 a 66", 3, {{1, 2}, {3, 3}}), 2, 2);
  ExpectCounts(Count("10/2 a 66", 3, {{3, 3}, {1, 2}}), 4, 3);
}

TEST(Perft, AMatchThatEndsWithTheLastTurnCounts) {
  ExpectCounts(Count("3/2 a 31", 1), 2, 2);  // 3 ends it, 1 leaves two
}

TEST(Perft, AMatchThatEndsSoonerDoesNot) {
  // After 3 it is over; after 1 the heap is 2, of which only 1 may be taken, then 1 again.
  ExpectCounts(Count("3/2 a 31", 2), 1, 1);
  ExpectCounts(Count("3/2 a 31", 3), 1, 1);
  ExpectCounts(Count("3/2 a 31", 4), 0, 0);
}

TEST(Perft, APassIsATurn) { ExpectCounts(Count("2/2 a 66", 5), 1, 1); }

TEST(Perft, NothingFollowsTheEnd) { ExpectCounts(Count("0/2 - -", 1), 0, 0); }

TEST(Perft, RefusesARollThatTheGameDoesNotHave) {
  const auto game = *games::Countdown().Create(2, {});
  const auto state = *game->ParsePosition("10/2 a 31");
  const auto counts = Perft(*state, 1, Rolls{{3, 1}, {3}});
  EXPECT_EQ(counts.status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(Perft, SaysWhenThereAreTooManyToCount) {
  const auto game = *games::Countdown().Create(2, {});
  const auto state = *game->ParsePosition("1000/2 a 12");
  const auto most = Perft(*state, 63, {});
  ASSERT_TRUE(most.ok());
  EXPECT_EQ(most->legal, uint64_t{1} << 63);
  EXPECT_EQ(most->distinct, 64u);
  EXPECT_EQ(Perft(*state, 64, {}).status().code(), absl::StatusCode::kOutOfRange);
}

}  // namespace
}  // namespace referee::ctl
