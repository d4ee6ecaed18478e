// Tests of the pace: how many blocks of a bot may begin, and how many it saves up.
#include "referee/schedule/pace.h"

#include "gtest/gtest.h"

namespace referee::schedule {
namespace {

// Begins as many blocks as the pace allows now.
int BeginAllowed(Pace* pace, int bot) {
  int begun = 0;
  for (; pace->Allows(bot); ++begun) pace->Begin(bot);
  return begun;
}

TEST(Pace, LetsAMinutesWorthBeSavedAndBeSpentOverAMinuteAndAllGoOnTogether) {
  const auto at = [](int seconds) { return Instant() + absl::Seconds(seconds); };
  Pace pace(6);
  pace.AddBot();
  pace.AddBot();
  pace.Look(at(100));
  EXPECT_EQ(BeginAllowed(&pace, 0), 2) << "of six that are saved";
  EXPECT_TRUE(pace.Allows(1));
  EXPECT_EQ(pace.next(), at(110));
  pace.Look(at(109));
  EXPECT_FALSE(pace.Allows(0));
  for (int step = 1; step <= 4; ++step) {
    pace.Look(at(100 + 10 * step));
    EXPECT_EQ(BeginAllowed(&pace, 0), 2) << step;
  }
  pace.Look(at(150));
  EXPECT_EQ(BeginAllowed(&pace, 0), 1) << "all that was saved is spent: one for each step";
  EXPECT_EQ(pace.next(), at(160));
  pace.Look(at(10'000));
  int begun = 0;
  for (int step = 0; step < 10; ++step) {
    pace.Look(at(10'000 + 10 * step));
    begun += BeginAllowed(&pace, 0);
  }
  EXPECT_EQ(begun, 6 + 9) << "no more than a minute's worth is saved";
}

TEST(Pace, OfShortStepsLetsSixSecondsWorthBeginTogether) {
  Pace pace(6'000);  // a step lasts 10 ms
  pace.AddBot();
  pace.Look(Instant());
  EXPECT_EQ(BeginAllowed(&pace, 0), 1'200);
  pace.Look(Instant() + absl::Seconds(1));
  EXPECT_EQ(BeginAllowed(&pace, 0), 200);
}

TEST(Pace, BelowOneAMinuteLetsOneBegin) {
  Pace pace(0.5);
  pace.AddBot();
  pace.Look(Instant());
  EXPECT_TRUE(pace.Allows(0));
  pace.Begin(0);
  pace.Look(Instant() + absl::Seconds(119));
  EXPECT_FALSE(pace.Allows(0));
  pace.Look(Instant() + absl::Seconds(120));
  EXPECT_TRUE(pace.Allows(0));
}

TEST(Pace, OfZeroIsNoLimit) {
  Pace pace(0);
  pace.AddBot();
  pace.Look(Instant());
  for (int i = 0; i < 10'000; ++i) pace.Begin(0);
  EXPECT_TRUE(pace.Allows(0));
}

}  // namespace
}  // namespace referee::schedule
