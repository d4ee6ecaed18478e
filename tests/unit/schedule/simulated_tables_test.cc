// Tests by simulation of how tables rank bots of known strength. Each test prints its figures.
//
//   build/release/tests/schedule_figures_test --gtest_filter='SimulatedTables.*'
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "referee/schedule/schedule.h"
#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {
namespace {

// Plays blocks one at a time to the end: `play` gives their outcomes.
template <typename Play>
void PlayOut(Schedule* schedule, size_t bots, Play play) {
  const std::vector<bool> free(bots, true);
  for (int64_t number = 0; !schedule->done(); ++number) {
    const absl::optional<rating::Pairing> next = schedule->Next(free, Instant());
    ASSERT_TRUE(next.has_value());
    schedule->Played(number, play(*next));
  }
}

// A block of equal bots, of which 62 % are level in two games of which each wins one.
rating::BlockOutcome BlockOfEquals(const rating::Pairing& pairing, bool scored, Chance* chance) {
  const bool level = chance->Below(100) < 62;
  const int first = chance->Below(2);
  rating::BlockOutcome outcome;
  outcome.pairing = pairing;
  for (int match = 0; match < 2; ++match) {
    const int winner = level && match == 1 ? 1 - first : first;
    outcome.ranks.push_back({winner == 0 ? 1 : 2, winner == 1 ? 1 : 2});
  }
  if (scored) outcome.scores = {chance->Below(20), chance->Below(20)};
  return outcome;
}

// The share of knockouts of eight equal bots that each seed wins.
std::vector<double> ShareOfKnockouts(const Spec& spec, bool scored, const char* what) {
  constexpr int kRuns = 8'000;
  Chance chance(1);
  std::vector<double> won(spec.entrants.size(), 0);
  double blocks = 0;
  for (int run = 0; run < kRuns; ++run) {
    const Lot lot = [drawn = chance.Below(1 << 14)](int round, int tie, int64_t) {
      return drawn >> (4 * (round - 1) + tie) & 1;
    };
    const auto schedule = Schedule::Make(spec, lot);
    PlayOut(schedule.get(), spec.entrants.size(), [&](const rating::Pairing& pairing) {
      blocks += 1.0 / kRuns;
      return BlockOfEquals(pairing, scored, &chance);
    });
    won[schedule->Scores()[0].bot] += 1.0 / kRuns;
  }
  std::printf("eight equal bots, %s: won by seed 1 to 8:", what);
  for (const double share : won) std::printf(" %.1f%%", 100 * share);
  std::printf(", %.1f blocks\n", blocks);
  return won;
}

TEST(SimulatedTables, SeedsOfEqualStrengthWinKnockoutsAlike) {
  Spec spec = SpecOf(Format::kKnockout, 8);
  for (const bool scored : {true, false}) {
    for (const int extra : {0, kDefaultExtraBlocks}) {
      spec.extra_blocks = extra;
      const std::string what =
          std::to_string(extra) + " extra blocks, then " + (scored ? "scores" : "a lot");
      // A share has a deviation of 0.37 %.
      for (const double share : ShareOfKnockouts(spec, scored, what.c_str())) {
        EXPECT_NEAR(share, 0.125, 0.0135) << what;
      }
    }
  }
}

struct SwissFigures {
  double floats_again = 0;  // of all floats, those as in the round before
  double shared_first = 0;  // of all runs, those in which the first rank is shared
};

// Of equal bots, an even number of them.
SwissFigures PlaySwiss(const Spec& spec) {
  constexpr int kRuns = 400;
  Chance chance(3);
  const size_t bots = spec.entrants.size();
  int64_t floats = 0;
  int64_t again = 0;
  SwissFigures figures;
  for (int run = 0; run < kRuns; ++run) {
    const auto schedule = Schedule::Make(spec);
    std::vector<int> points(bots, 0);
    std::vector<int> at_start = points;  // of the round
    std::vector<int> before(bots, 0);    // how a bot floated in the round before
    std::vector<int> now(bots, 0);
    size_t blocks = 0;
    PlayOut(schedule.get(), bots, [&](const rating::Pairing& pairing) {
      if (blocks++ % (bots / 2) == 0) {
        at_start = points;
        before = now;
      }
      const rating::BlockOutcome outcome = BlockOfEquals(pairing, false, &chance);
      for (size_t place = 0; place < 2; ++place) {
        const int bot = pairing.bots[place];
        const int lead = at_start[bot] - at_start[pairing.bots[1 - place]];
        now[bot] = lead > 0 ? -1 : lead < 0 ? 1 : 0;
        floats += now[bot] != 0 ? 1 : 0;
        again += now[bot] != 0 && now[bot] == before[bot] ? 1 : 0;
        points[bot] += rating::HalfPoints(outcome, place);
      }
      return outcome;
    });
    const std::vector<ScoreLine> table = schedule->Scores();
    if (table[1].rank == 1) figures.shared_first += 1.0 / kRuns;
  }
  figures.floats_again = static_cast<double>(again) / static_cast<double>(floats);
  std::printf(
      "swiss of %zu equal bots, %d rounds: %.1f%% of floats repeat, first rank shared in %.1f%%\n",
      bots, Rounds(spec), 100 * figures.floats_again, 100 * figures.shared_first);
  return figures;
}

TEST(SimulatedTables, SwissRoundsSpareWhoFloatedAndSeldomEndLevel) {
  Spec spec = SpecOf(Format::kSwiss, 16);
  spec.rounds = 6;
  const SwissFigures figures = PlaySwiss(spec);
  EXPECT_LT(figures.floats_again, 0.2);
  EXPECT_LT(figures.shared_first, 0.025);
}

// Two matches, of which the first bot wins each with this chance, in thousandths.
rating::BlockOutcome BlockOf(const rating::Pairing& pairing, int thousandths, Chance* chance) {
  rating::BlockOutcome outcome;
  outcome.pairing = pairing;
  for (int match = 0; match < 2; ++match) {
    const bool first = chance->Below(1000) < thousandths;
    outcome.ranks.push_back({first ? 1 : 2, first ? 2 : 1});
  }
  return outcome;
}

// How often the soloist of a gauntlet, who makes 15 % of its points, has rank 1.
double SoloistFirst(const Spec& spec) {
  constexpr int kRuns = 2'000;
  Chance chance(5);
  double first = 0;
  double share = 0;
  for (int run = 0; run < kRuns; ++run) {
    const auto schedule = Schedule::Make(spec);
    PlayOut(schedule.get(), spec.entrants.size(), [&](const rating::Pairing& pairing) {
      const rating::BlockOutcome outcome = BlockOf(pairing, 150, &chance);
      share += rating::HalfPoints(outcome, 0) / 4.0 / (kRuns * 9);
      return outcome;
    });
    if (LineOf(*schedule, 0).rank == 1) first += 1.0 / kRuns;
  }
  std::printf("gauntlet of ten: a soloist with %.0f%% of the points has rank 1 in %.1f%%\n",
              100 * share, 100 * first);
  return first;
}

TEST(SimulatedTables, TheSoloistOfAGauntletIsNotFirstForHavingPlayedMost) {
  EXPECT_EQ(SoloistFirst(SpecOf(Format::kGauntlet, 10)), 0);
}

struct Shares {
  double met = 0;      // of first ranks, for each bot that met the one that left
  double not_met = 0;  // for each of the others
};

// A round robin of seven equal bots and 7, which loses all and leaves after `blocks` of seven.
Shares FirstRanks(const Spec& spec, int blocks) {
  constexpr int kRuns = 4'000;
  Chance chance(7);
  const std::vector<bool> all(spec.entrants.size(), true);
  Shares first;
  for (int run = 0; run < kRuns; ++run) {
    const auto schedule = Schedule::Make(spec);
    std::vector<bool> met(spec.entrants.size(), false);
    int played = 0;
    for (int64_t number = 0; !schedule->done(); ++number) {
      const rating::Pairing pairing = *schedule->Next(all, Instant());
      const bool weak = pairing.bots[0] == 7 || pairing.bots[1] == 7;
      const int chances = !weak ? 500 : pairing.bots[0] == 7 ? 0 : 1000;
      schedule->Played(number, BlockOf(pairing, chances, &chance));
      if (weak) met[pairing.bots[0]] = met[pairing.bots[1]] = true;
      if (weak && ++played == blocks) schedule->Withdraw(7);
    }
    const std::vector<ScoreLine> table = schedule->Scores();
    int shared = 0;
    while (table[shared].rank == 1) ++shared;
    for (int i = 0; i < shared; ++i) {
      const bool has_met = met[table[i].bot];
      (has_met ? first.met : first.not_met) +=
          1.0 / kRuns / shared / (has_met ? blocks : 7 - blocks);
    }
  }
  std::printf(
      "round robin of 7 equal bots and one that loses all and leaves after %d blocks: "
      "who met it is first in %.1f%%, who did not in %.1f%%\n",
      blocks, 100 * first.met, 100 * first.not_met);
  return first;
}

TEST(SimulatedTables, WhoMetOneThatLeftIsNotFirstMoreOften) {
  for (const int blocks : {3, 4}) {
    const Shares shares = FirstRanks(SpecOf(Format::kRoundRobin, 8), blocks);
    // A seventh each. These have deviations of about 0.6 %.
    EXPECT_NEAR(shares.met, 1 / 7.0, 0.02);
    EXPECT_NEAR(shares.not_met, 1 / 7.0, 0.02);
  }
}

}  // namespace
}  // namespace referee::schedule
