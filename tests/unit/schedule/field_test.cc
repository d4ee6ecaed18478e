// Tests of a ladder with a whole field: pairings and the resulting ratings.
#include "tests/unit/schedule/field.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "referee/rating/rating.h"
#include "referee/schedule/ladder.h"
#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {
namespace {

FieldOptions Of(int bots, int seats = 2) {
  FieldOptions options;
  options.bots = bots;
  options.seats = seats;
  return options;
}

TEST(LadderField, NoPairIsFixedWhereAllPlayAtOnce) {
  for (const int seats : {2, 3, 6}) {
    for (const int bots : {2 * seats, 20, 41}) {
      Field field(Of(bots, seats));
      field.Play(bots * 100);
      EXPECT_EQ(field.Unmet(), 0) << bots << " bots, " << seats << " seats";
      EXPECT_LT(field.Waited(), 0.03) << bots << " bots, " << seats << " seats";
    }
  }
}

TEST(LadderField, EqualBotsMeetAboutEquallyOften) {
  Field field(Of(8));
  field.Play(7'000);
  for (int first = 0; first < 8; ++first) {
    for (int second = first + 1; second < 8; ++second) {
      EXPECT_GT(field.Met(first, second), 7'000 / 28 / 2) << first << " and " << second;
      EXPECT_LT(field.Met(first, second), 7'000 / 28 * 2) << first << " and " << second;
    }
  }
}

TEST(LadderField, OfAThousandBotsNobodyGetsFurtherAheadThanTheLead) {
  Tournament tournament(SpecOf(Format::kLadder, 1000), 1);
  tournament.max_running = 100;
  Chance chance(2);
  const auto spread = [&begun = tournament.begun()] {
    const auto [least, most] = std::minmax_element(begun.begin(), begun.end());
    return *most - *least;
  };
  while (tournament.blocks().size() < 20'000) {
    tournament.Step();
    tournament.schedule().Rated(
        chance.Below(1000), rating::Rating{10.0 + chance.Below(30), 0.5 + chance.Below(80) / 10.0});
    if (tournament.blocks().size() % 64 == 0) {
      ASSERT_LE(spread(), kLadderLead);
    }
  }
  EXPECT_LE(spread(), kLadderLead);
}

TEST(LadderField, IsOneWhateverItsSizeItsSpeedsAndItsPlaces) {
  for (const int bots : {3, 5, 10, 33, 100, 200}) {
    for (const double slowest : {1.0, 20.0}) {
      for (const int at_once : {1, 4}) {
        for (const int max_running : {0, 1 + bots / 10}) {
          FieldOptions options = Of(bots);
          options.slowest = slowest;
          options.at_once = at_once;
          options.max_running = max_running;
          options.elo_range = 800;
          Field field(options);
          field.Play(bots * 30);
          const std::string what = absl::StrCat(bots, " bots, slowest ", slowest, ", ", at_once,
                                                " blocks a bot, ", max_running, " running");
          EXPECT_TRUE(field.Connected()) << what;
          EXPECT_LT(field.Waited(), 0.03) << what;
          const auto [least, most] =
              std::minmax_element(field.begun().begin(), field.begun().end());
          EXPECT_LE(*most - *least, kLadderLead) << what;
        }
      }
    }
  }
}

// The goal is reckoned from who met whom; the fit, from results, agrees.
TEST(LadderField, RestsWhenTheIntervalsOfTheFitAreAsNarrowAsTheGoal) {
  for (const double elo_range : {0.0, 400.0}) {
    FieldOptions options = Of(12);
    options.elo_range = elo_range;
    options.goal_width = 100;
    options.slowest = 5;
    Field field(options);
    field.Play(1'000'000);
    const Field::Fitted fitted = field.Fit();
    EXPECT_LT(fitted.widest, 100) << elo_range;
    EXPECT_GT(fitted.widest, 60) << elo_range << ": it plays no longer than it needs";
    EXPECT_GE(fitted.coverage, 0.75) << elo_range;
  }
}

TEST(LadderField, HasIntervalsThatHoldAndAScaleThatIsNotStretched) {
  for (const double elo_range : {0.0, 400.0}) {
    double coverage = 0;
    double stretch = 0;
    constexpr int kFields = 20;
    for (int seed = 1; seed <= kFields; ++seed) {
      FieldOptions options = Of(20);
      options.seed = static_cast<uint64_t>(seed);
      options.elo_range = elo_range;
      Field field(options);
      field.Play(2'500);
      const Field::Fitted fitted = field.Fit();
      coverage += fitted.coverage / kFields;
      stretch += fitted.stretch / kFields;
    }
    EXPECT_GE(coverage, 0.93) << elo_range;
    EXPECT_LE(coverage, 0.97) << elo_range;
    EXPECT_LT(stretch, 1.05) << elo_range;
    EXPECT_GT(stretch, 0.95) << elo_range;
  }
}

// Half as many bots again join while the first play, and they leave and come back.
FieldOptions Changing(int bots, int seed) {
  FieldOptions options = Of(bots);
  options.elo_range = 400;
  options.slowest = 4;
  options.joins = bots / 2;
  options.changes = 0.05;
  options.seed = static_cast<uint64_t>(seed);
  return options;
}

TEST(LadderField, IsOneWhoeverJoinsAndLeaves) {
  for (const int bots : {4, 10, 40, 120}) {
    for (const int seats : {2, 4}) {
      FieldOptions options = Changing(bots, bots);
      options.seats = seats;
      Field field(options);
      field.Play(bots * 60);
      const std::string what = absl::StrCat(bots, " bots, ", seats, " seats");
      EXPECT_GE(field.changes(), bots / 2) << what;
      EXPECT_TRUE(field.Connected()) << what;
      EXPECT_LT(field.Waited(), 0.03) << what;
    }
  }
}

TEST(LadderField, WhoeverJoinsAndLeavesEverybodyInReachMeets) {
  for (const int bots : {4, 10, 30}) {
    Field field(Changing(bots, bots));
    field.Play(bots * 300);
    EXPECT_EQ(field.UnmetInReach(200, 5 * bots), 0) << bots;
  }
}

TEST(LadderField, HasIntervalsThatHoldWhoeverJoinsAndLeaves) {
  double coverage = 0;
  double stretch = 0;
  constexpr int kFields = 20;
  for (int seed = 1; seed <= kFields; ++seed) {
    Field field(Changing(20, seed));
    field.Play(3'000);
    const Field::Fitted fitted = field.Fit();
    coverage += fitted.coverage / kFields;
    stretch += fitted.stretch / kFields;
  }
  EXPECT_GE(coverage, 0.93);
  EXPECT_LE(coverage, 0.97);
  EXPECT_LT(stretch, 1.05);
  EXPECT_GT(stretch, 0.95);
}

}  // namespace
}  // namespace referee::schedule
