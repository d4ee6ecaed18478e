#include "referee/view/ledger.h"

#include "gtest/gtest.h"
#include "tests/unit/replay/sample.h"

namespace referee::view {
namespace {

TEST(TimeSplit, OfATurnAddsUpToTheTimeUntilItsReplyWasTakenUp) {
  for (const replay::SampleOptions& options :
       {replay::SampleOptions(), replay::EventfulSample(), replay::TimedOutSample()}) {
    int timed = 0;
    for (const TurnTimes& row : TimesOfTurns(replay::PlaySample(options))) {
      if (!row.timing) continue;
      ++timed;
      const TimeSplit split = Split(*row.timing);
      EXPECT_EQ(split.bot + split.network + split.referee + split.paused, row.timing->taken);
      EXPECT_GE(split.bot, absl::ZeroDuration());
    }
    EXPECT_GT(timed, 0);
  }
}

TEST(TimeSplit, TheRoundTripIsTheNetworksAndWhatTheRefereeStoodStillIsItsOwn) {
  match::Timing timing;
  timing.started = absl::Milliseconds(1);
  timing.read = absl::Milliseconds(101);
  timing.taken = absl::Milliseconds(103);
  timing.round_trip = absl::Milliseconds(20);
  timing.paused = absl::Milliseconds(10);
  timing.stalled = absl::Milliseconds(30);
  const TimeSplit split = Split(timing);
  EXPECT_EQ(split.bot, absl::Milliseconds(40));
  EXPECT_EQ(split.network, absl::Milliseconds(20));
  EXPECT_EQ(split.referee, absl::Milliseconds(33));
  EXPECT_EQ(split.paused, absl::Milliseconds(10));
}

TEST(TimeSplit, AReplyFasterThanARoundTripLeavesNothingToTheBot) {
  match::Timing timing;
  timing.read = timing.taken = absl::Milliseconds(5);
  timing.round_trip = absl::Milliseconds(20);
  EXPECT_EQ(Split(timing).bot, absl::ZeroDuration());
  EXPECT_EQ(Split(timing).network, absl::Milliseconds(5));
}

}  // namespace
}  // namespace referee::view
