// Tests of the error bars of ratings after a Swiss: RATING.md.
//
// The table is tests/bench/bench_chosen_bars.cc.
#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "referee/rating/fit.h"
#include "tests/unit/rating/simulated_blocks.h"
#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {
namespace {

constexpr int kBots = 32;
constexpr int kRounds = 5;

// The share of bars that hold over 20 competitions of equal bots, whose pairs are those of a Swiss,
// or those that the same Swiss would make if all blocks were shared.
double Coverage(bool chosen_by_results) {
  rating::SimulatedBlocks chance(1);
  constexpr int kRuns = 20;
  int held = 0;
  for (int run = 0; run < kRuns; ++run) {
    Spec spec = SpecOf(Format::kSwiss, kBots);
    spec.rounds = kRounds;
    const auto schedule = Schedule::Make(spec);
    rating::Evidence evidence;
    for (int64_t number = 0; !schedule->done(); ++number) {
      const rating::Pairing pairing =
          schedule->Next(std::vector<bool>(kBots, true), Instant()).value();
      const rating::BlockOutcome outcome =
          rating::PairBlock(pairing.bots[0], pairing.bots[1], chance.HalfPoints(0));
      evidence.Add(outcome);
      schedule->Played(number, chosen_by_results
                                   ? outcome
                                   : rating::PairBlock(pairing.bots[0], pairing.bots[1], 2));
    }
    for (const rating::Strength& strength : rating::Fit(evidence)) {
      held += std::abs(strength.elo) <= strength.error ? 1 : 0;
    }
  }
  return static_cast<double>(held) / (kRuns * kBots);
}

TEST(SwissRatings, HaveBarsThatAreTooNarrowBecauseResultsChooseThePairs) {
  EXPECT_LT(Coverage(true), 0.80);
  EXPECT_GT(Coverage(false), 0.93);
}

}  // namespace
}  // namespace referee::schedule
