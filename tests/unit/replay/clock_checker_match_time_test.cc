// Tests that false times of a whole match are found, each in its turn.
#include "gtest/gtest.h"
#include "referee/replay/verifier.h"
#include "tests/unit/replay/lies.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

using match::Cause;
using match::Faulted;
using match::Forfeited;

TEST(ClockChecker, EndsAMatchWhoseTimeIsUsedUp) {
  const Replay replay = PlaySample(TimedOutSample());
  EXPECT_EQ(replay.ended()->ending, match::Ending::kFinished);
  EXPECT_EQ(Verify(Encode(replay, SampleSigner())).problem, "");
}

// The turn in which the match's time is used up.
uint32_t LastTurn() {
  Replay replay = PlaySample(TimedOutSample());
  return First<Faulted>(replay).number;
}

TEST(ClockChecker, CountsTheTimeOfAllSeatsTogether) {
  const uint32_t last = LastTurn();
  ExpectFound(
      TimedOutSample(), last, [](Replay& r) { r.setup.time_control.match += kNano; },
      "used, but the match's time left was");
  ExpectFound(
      TimedOutSample(), last, [](Replay& r) { First<Faulted>(r).used -= kNano; },
      "used, but the match's time left was");
  ExpectFound(
      TimedOutSample(), last,
      [](Replay& r) { r.setup.time_control.match = absl::InfiniteDuration(); },
      "unlimited time were left");
  ExpectFound(
      TimedOutSample(), last - 1,
      [=](Replay& r) { Lengthen(Turn(r, last - 1), absl::Milliseconds(20)); }, "but the limit was");
}

TEST(ClockChecker, WantsToKnowWhereTheTimeOfTheLastTurnWent) {
  const uint32_t last = LastTurn();
  ExpectFound(
      TimedOutSample(), last, [](Replay& r) { First<Faulted>(r).timing.reset(); },
      "nothing says where that of the turn went");
  ExpectFound(
      TimedOutSample(), last,
      [](Replay& r) {
        Faulted& fault = First<Faulted>(r);
        fault.timing->read = fault.timing->started + fault.used;
        fault.timing->written = absl::InfiniteDuration();
      },
      "the match's time used up after ");
  ExpectFound(
      TimedOutSample(), last,
      [](Replay& r) { First<Faulted>(r).timing->read = First<Faulted>(r).timing->taken + kNano; },
      "taken up before it was read");
  ExpectFound(
      EventfulSample(), 8, [](Replay& r) { First<Faulted>(r).timing.emplace(); },
      "a move with times, but its turn is not over");
}

TEST(ClockChecker, LetsTheSlowestSeatForfeitFirst) {
  Replay replay = PlaySample(TimedOutSample());
  const Seat slowest = First<Forfeited>(replay).seat;
  const uint32_t turn = LastTurn();
  ExpectFound(
      TimedOutSample(), turn,
      [](Replay& r) {
        Seat& seat = First<Forfeited>(r).seat;
        seat = Seat((seat.index() + 1) % 3);
      },
      "but most of it by seat " + std::string(1, slowest.letter()));
  ExpectFound(
      TimedOutSample(), turn, [](Replay& r) { First<Forfeited>(r).cause = Cause::kResigned; },
      "but the cause is RESIGNED");
  ExpectFound(
      TimedOutSample(), turn, [](Replay& r) { First<Forfeited>(r).used = kNano; },
      "but it has times of its own");
}

TEST(ClockChecker, LetsNobodyGoOnWhenTheTimeIsUsedUp) {
  const uint32_t last = LastTurn();
  ExpectFound(
      TimedOutSample(), last,
      [](Replay& r) {
        const size_t at = Find<Forfeited>(r);
        r.records.erase(r.records.begin() + static_cast<std::ptrdiff_t>(at), r.records.end() - 1);
        match::Ended& ended = First<match::Ended>(r);
        ended.ending = match::Ending::kCancelled;
        ended.scores.clear();
        ended.ranks.clear();
      },
      "the match's time was used up, but the seats do not forfeit");
}

}  // namespace
}  // namespace referee::replay
