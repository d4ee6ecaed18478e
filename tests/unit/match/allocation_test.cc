// Tests that an ordinary step of a match allocates nothing.
#include <gtest/gtest.h>

#include "tests/support/allocation_count.h"
#include "tests/unit/match/table.h"

namespace referee::match {
namespace {

TEST(MatchAllocation, OrdinaryTurnsAllocateNothing) {
  testing::CountingRules rules;
  rules.target = 900;
  rules.limits = {3, 2, 1, 0};
  rules.dice = true;
  TimeControl time_control;
  time_control.bank = absl::Seconds(1);
  Table table(rules, time_control);
  table.BeginReady();
  Match& match = table.match();
  absl::Duration now;
  const auto play_turn = [&match, &now] {
    const Seat seat = match.seat_to_move();
    const uint32_t turn = match.turn();
    match.Step(RequestSent{seat, turn}, Table::Time(now), Table::ReadingAt(now));
    match.Step(Tick{}, Table::Time(now), Table::ReadingAt(now));
    now += absl::Microseconds(1);
    match.Step(Replied{seat, turn, match.legal_moves().back()}, Table::Time(now),
               Table::ReadingAt(now));
  };
  for (int i = 0; i < 4; ++i) play_turn();
  const int64_t before = testing::AllocationCount();
  for (int i = 0; i < 200; ++i) play_turn();
  EXPECT_EQ(testing::AllocationCount() - before, 0);
  EXPECT_EQ(match.stage(), Match::Stage::kPlaying);
}

}  // namespace
}  // namespace referee::match
