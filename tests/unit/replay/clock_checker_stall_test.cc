// Tests that false clock starts, false stalls and matches falsely void by stalls are found.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/base/limits.h"
#include "referee/replay/clock_checker.h"
#include "referee/replay/verifier.h"
#include "tests/unit/replay/lies.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

using match::NoContest;
using match::Played;

TEST(ClockChecker, VoidsAMatchOnlyForMoreThanIsGivenBack) {
  ExpectFound(
      StalledSample(), 6, [](Replay& r) { First<NoContest>(r).stall = absl::Microseconds(500); },
      "the referee stood still for 500000 ns, which is no more than may be given back, 500000 ns");
  ExpectFound(
      StalledSample(), 6,
      [](Replay& r) {
        NoContest& record = First<NoContest>(r);
        record.timing.stalled -= kNano;
        record.used += kNano;
      },
      "499999 ns was given back, and not 500000 ns");
}

// --- What is given back of the referee's stalls. ---

// A match in which the referee stood still for 3 ms in every turn from 6 on, of which 2 are given
// back in a move, and 9 in the match.
SampleOptions GivingSample() {
  SampleOptions options;
  options.stall_at = 6;
  options.time_control.stall_per_move = absl::Milliseconds(2);
  options.time_control.stall_per_match = absl::Milliseconds(9);
  return options;
}

// The number of the last turn that seat a was asked for.
uint32_t LastAsked(const Replay& replay) {
  uint32_t last = 0;
  for (const match::Record& record : replay.records) {
    const auto* turn = std::get_if<Played>(&record);
    if (turn != nullptr && turn->seat == Seat(0) && turn->timing) last = turn->number;
  }
  return last;
}

// With all figures in agreement.
void GiveBack(Played& turn, absl::Duration more) {
  turn.timing->stalled += more;
  turn.timing->read += more;
  turn.timing->taken += more;
}

TEST(ClockChecker, GivesBackNoMoreThanTheQuotaOfAMove) {
  ExpectFound(
      GivingSample(), 6, [](Replay& r) { GiveBack(Turn(r, 6), kNano); },
      "2000001 ns of the referee's stalls given back, but it should be at most 2000000 ns");
  ExpectFound(
      GivingSample(), 6, [](Replay& r) { Turn(r, 6).timing->stalled = -kNano; },
      "of the referee's stalls given back");
}

// With a quota of zero, a stall that may have decided a loss still makes the match void.
TEST(ClockChecker, GivesNothingBackIfTheTimeControlSaysSo) {
  SampleOptions options;
  options.time_control.stall_per_move = absl::ZeroDuration();
  options.time_control.stall_per_match = absl::ZeroDuration();
  ExpectFound(
      options, 3, [](Replay& r) { GiveBack(Turn(r, 3), kNano); }, "it should be at most 0 ns");
  options.stall_at = 6;
  ASSERT_EQ(PlaySample(options).ended()->ending, match::Ending::kVoid);
  EXPECT_EQ(Verify(Encode(PlaySample(options), SampleSigner())).problem, "");
  ExpectFound(
      options, 6, [](Replay& r) { First<NoContest>(r).stall = absl::Milliseconds(1) - kNano; },
      "which cannot have decided a loss by 1000000 ns");
}

TEST(ClockChecker, GivesBackNoMoreThanTheQuotaOfTheMatch) {
  const Replay replay = PlaySample(GivingSample());
  absl::Duration given;
  for (const match::Record& record : replay.records) {
    const auto* turn = std::get_if<Played>(&record);
    if (turn != nullptr && turn->seat == Seat(0) && turn->timing) given += turn->timing->stalled;
  }
  EXPECT_EQ(given, absl::Milliseconds(9));
  EXPECT_EQ(replay.ended()->times.seats[0].given_back, given);
  ExpectFound(
      GivingSample(), LastAsked(replay), [](Replay& r) { GiveBack(Turn(r, LastAsked(r)), kNano); },
      "1 ns of the referee's stalls given back, but it should be at most 0 ns");
}

TEST(ClockChecker, GivesBackNoMoreThanTheClockRan) {
  ExpectFound(
      GivingSample(), 4,
      [](Replay& r) {
        Played& turn = Turn(r, 4);
        turn.timing->started = turn.timing->read;
        turn.timing->stalled = kNano;
        turn.used = absl::ZeroDuration();
      },
      "more was given back than its clock ran");
}

TEST(ClockChecker, GivesNothingBackToASeatWhoseStallsAreCharged) {
  ExpectFound(
      GivingSample(), 6, [](Replay& r) { Turn(r, 6).timing->stalls_charged = true; },
      "2000000 ns of the referee's stalls given back, but it should be at most 0 ns");
  Replay honest = PlaySample(GivingSample());
  const uint32_t last = LastAsked(honest);
  ASSERT_EQ(Turn(honest, last).timing->stalled, absl::ZeroDuration())
      << "all was given back before";
  Replay charged = honest;
  Turn(charged, last).timing->stalls_charged = true;
  EXPECT_EQ(Verify(Encode(charged, SampleSigner())).problem, "");
}

TEST(ClockChecker, ChargesStallsToASeatForTheRestOfTheMatch) {
  ExpectFound(
      SampleOptions(), 5, [](Replay& r) { Turn(r, 3).timing->stalls_charged = true; },
      "the referee's stalls were charged to the seat before, but not in this turn");
}

TEST(ClockChecker, VoidsNoMatchForAStallThatIsCharged) {
  ExpectFound(
      StalledSample(), 6,
      [](Replay& r) {
        NoContest& record = First<NoContest>(r);
        record.used += record.timing.stalled;
        record.timing.stalled = absl::ZeroDuration();
        record.timing.stalls_charged = true;
      },
      "the referee stood still, but its stalls were charged to the seat");
}

// --- When the clock started. ---

void StartLater(Played& turn, absl::Duration by) {
  turn.timing->started += by;
  turn.timing->read += by;
  turn.timing->taken += by;
}

TEST(ClockChecker, StartsTheClockWithinTheHandoverLimit) {
  for (const absl::Duration late : {limits::kHandoverLimit + kNano, absl::Hours(1)}) {
    ExpectFound(
        SampleOptions(), 3, [late](Replay& r) { StartLater(Turn(r, 3), late); },
        "after the turn was due, but the limit of the handover is 5000000 ns");
  }
  Replay replay = PlaySample(SampleOptions());
  StartLater(Turn(replay, 3), limits::kHandoverLimit);
  EXPECT_EQ(Verify(Encode(replay, SampleSigner())).problem, "");
}

}  // namespace
}  // namespace referee::replay
