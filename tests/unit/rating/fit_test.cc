#include "referee/rating/fit.h"

#include <cmath>
#include <map>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/rating/elo.h"
#include "tests/unit/rating/simulated_blocks.h"

namespace referee::rating {
namespace {

// So weak that it changes no published digit.
const FitOptions kHardlyAnyPrior{1e6};

std::map<int, Strength> ByBot(const std::vector<Strength>& strengths) {
  std::map<int, Strength> by_bot;
  for (const Strength& strength : strengths) by_bot[strength.bot] = strength;
  return by_bot;
}

// Single games, each as a block of two matches that ended alike: no more than one game is known.
PairRow Games(int first, int second, int64_t won, int64_t lost) {
  return {first, second, {lost, 0, 0, 0, won}};
}

// Results of the American League's eastern division in 1987, and what A. Agresti, Categorical Data
// Analysis (2nd edition, tables 10.10 and 10.11), fits to them; standard errors "about 0.3".
TEST(Fit, AgreesWithPublishedFiguresOfBaseball) {
  const std::vector<std::vector<int64_t>> wins = {
      {0, 7, 9, 7, 7, 9, 11},  // Milwaukee
      {6, 0, 7, 5, 11, 9, 9},  // Detroit
      {4, 6, 0, 7, 7, 8, 12},  // Toronto
      {6, 8, 6, 0, 6, 7, 10},  // New York
      {6, 2, 6, 7, 0, 7, 12},  // Boston
      {4, 4, 5, 6, 6, 0, 6},   // Cleveland
      {2, 4, 1, 3, 1, 7, 0},   // Baltimore
  };
  Evidence evidence;
  for (size_t i = 0; i < wins.size(); ++i) {
    for (size_t j = i + 1; j < wins.size(); ++j) {
      evidence.Add(Games(static_cast<int>(i), static_cast<int>(j), wins[i][j], wins[j][i]));
    }
  }
  std::map<int, Strength> fitted = ByBot(Fit(evidence, kHardlyAnyPrior));
  const std::vector<double> published = {1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0};
  for (int team = 0; team < 7; ++team) {
    EXPECT_NEAR((fitted[team].elo - fitted[6].elo) / kEloPerLogit,
                published[static_cast<size_t>(team)], 0.005)
        << team;
    // Of a team against the mean of all: 0.3 of a difference is about 0.3 / sqrt(2) of one.
    EXPECT_NEAR(fitted[team].error / kDeviationsOf95 / kEloPerLogit, 0.21, 0.05) << team;
  }
}

// Orders as often as the model says for worths of 1, 2 and 3, times 60: 1/6 2/5, 1/6 3/5, ...
TEST(Fit, FindsTheWorthsBehindExactFrequenciesOfOrders) {
  const std::vector<std::pair<std::vector<int>, int>> orders = {{{1, 2, 3}, 4},  {{1, 3, 2}, 6},
                                                                {{2, 1, 3}, 5},  {{3, 1, 2}, 15},
                                                                {{2, 3, 1}, 10}, {{3, 2, 1}, 20}};
  Evidence evidence;
  for (const auto& [ranks, times] : orders) {
    for (int i = 0; i < times; ++i) evidence.Add(RankedRow{{0, 1, 2}, {ranks}});
  }
  std::map<int, Strength> fitted = ByBot(Fit(evidence, kHardlyAnyPrior));
  EXPECT_NEAR(std::exp((fitted[1].elo - fitted[0].elo) / kEloPerLogit), 2, 1e-6);
  EXPECT_NEAR(std::exp((fitted[2].elo - fitted[0].elo) / kEloPerLogit), 3, 1e-6);
}

TEST(Fit, OfTwoBotsIsTheEloOfTheirScore) {
  Evidence evidence;
  evidence.Add(PairRow{0, 1, {10, 20, 40, 30, 50}});
  const std::vector<Strength> fitted = Fit(evidence, kHardlyAnyPrior);
  const double score = (20 * 1 + 40 * 2 + 30 * 3 + 50 * 4) / (150 * 4.0);
  EXPECT_EQ(fitted[0].bot, 0);
  EXPECT_NEAR(fitted[0].elo - fitted[1].elo, EloOfScore(score), 1e-6);
  EXPECT_EQ(fitted[0].blocks, 150);
}

TEST(Fit, OfTwoSeatsIsTheSameFromRowsOfRanks) {
  SimulatedBlocks simulated(3);
  Evidence pairs;
  Evidence ranked;
  for (int i = 0; i < 300; ++i) {
    const BlockOutcome block = PairBlock(i % 3, 3 + i % 4, simulated.HalfPoints(50 * (i % 3), 0.3));
    pairs.Add(block);
    ranked.Add(RankedRow{block.pairing.bots, block.ranks});
  }
  const std::vector<Strength> from_pairs = Fit(pairs);
  const std::vector<Strength> from_ranks = Fit(ranked);
  ASSERT_EQ(from_pairs.size(), from_ranks.size());
  for (size_t i = 0; i < from_pairs.size(); ++i) {
    EXPECT_EQ(from_pairs[i].bot, from_ranks[i].bot);
    EXPECT_NEAR(from_pairs[i].elo, from_ranks[i].elo, 1e-6);
    EXPECT_NEAR(from_pairs[i].error, from_ranks[i].error, 1e-6);
    EXPECT_NEAR(from_pairs[i].superiority, from_ranks[i].superiority, 1e-9);
  }
}

TEST(Fit, DerivativesAreThoseOfTheValueWithTiesToo) {
  Evidence evidence;
  evidence.Add(PairRow{0, 3, {1, 2, 3, 4, 5}});
  evidence.Add(RankedRow{{2, 0, 3, 1}, {{1, 2, 2, 4}, {1, 1, 1, 1}, {3, 1, 4, 1}, {4, 3, 2, 1}}});
  const std::vector<double> at = {0.3, -0.2, 0.7, -0.5};
  const Derivatives exact = Differentiate(evidence, at);
  constexpr double kStep = 1e-5;
  std::vector<std::vector<double>> information(4, std::vector<double>(4));
  for (const PairTerm& term : exact.terms) {
    const auto i = static_cast<size_t>(term.first);
    const auto j = static_cast<size_t>(term.second);
    information[i][i] += term.information;
    information[j][j] += term.information;
    information[i][j] -= term.information;
    information[j][i] -= term.information;
  }
  for (size_t b = 0; b < at.size(); ++b) {
    std::vector<double> up = at;
    std::vector<double> down = at;
    up[b] += kStep;
    down[b] -= kStep;
    const Derivatives above = Differentiate(evidence, up);
    const Derivatives below = Differentiate(evidence, down);
    EXPECT_NEAR((above.value - below.value) / (2 * kStep), exact.gradient[b], 1e-6) << b;
    for (size_t c = 0; c < at.size(); ++c) {
      EXPECT_NEAR((below.gradient[c] - above.gradient[c]) / (2 * kStep), information[b][c], 1e-6);
    }
  }
}

TEST(Fit, PutsABotThatWonEverythingOnTopAtAFinitePlaceWithWideBars) {
  Evidence evidence;
  evidence.Add(PairRow{0, 1, {5, 0, 10, 0, 5}});
  evidence.Add(PairRow{0, 2, {20, 0, 0, 0, 0}});
  evidence.Add(PairRow{1, 2, {20, 0, 0, 0, 0}});
  const std::vector<Strength> fitted = Fit(evidence);
  EXPECT_EQ(fitted[0].bot, 2);
  EXPECT_GT(fitted[0].elo, 400);
  EXPECT_LT(fitted[0].elo, 5000);
  EXPECT_GT(fitted[0].error, 300);
  EXPECT_LT(fitted[1].error, 150);
  EXPECT_GT(fitted[0].superiority, 0.99);
}

TEST(Fit, PutsGroupsThatNeverMetSideBySideAndDoesNotClaimToKnowWhichIsBetter) {
  Evidence evidence;
  evidence.Add(PairRow{0, 1, {0, 0, 100, 0, 100}});
  evidence.Add(PairRow{2, 3, {0, 0, 100, 0, 80}});
  const std::vector<Strength> fitted = Fit(evidence);
  ASSERT_EQ(fitted.size(), 4U);
  EXPECT_EQ(fitted[0].bot, 0);
  EXPECT_EQ(fitted[1].bot, 2);
  for (const Strength& strength : fitted) EXPECT_GT(strength.error, 500);
  EXPECT_NEAR(fitted[0].superiority, 0.5, 0.1);
}

TEST(Fit, ANewcomerDoesNotWidenTheBarsOfOthers) {
  SimulatedBlocks simulated(4);
  Evidence evidence;
  for (int i = 0; i < 4000; ++i) {
    evidence.Add(PairBlock(i % 10, (i % 10 + 1 + i / 10 % 9) % 10, simulated.HalfPoints(0)));
  }
  const double before = ByBot(Fit(evidence))[0].error;
  evidence.Add(PairBlock(10, 0, 4));
  std::map<int, Strength> after = ByBot(Fit(evidence));
  EXPECT_NEAR(after[0].error, before, 0.01 * before);
  EXPECT_GT(after[10].error, 10 * before);
}

TEST(Fit, LeavesOutBotsThatHaveNotPlayed) {
  Evidence evidence;
  EXPECT_TRUE(Fit(evidence).empty());
  evidence.Add(PairBlock(5, 2, 4));
  EXPECT_EQ(Fit(evidence).size(), 2U);
}

TEST(Fit, BlocksThatAgreeInThemselvesHaveNarrowerBars) {
  // The same score: once each block is shared, once each is won or lost as a whole.
  Evidence shared;
  shared.Add(PairRow{0, 1, {0, 0, 200, 0, 0}});
  Evidence whole;
  whole.Add(PairRow{0, 1, {100, 0, 0, 0, 100}});
  EXPECT_LT(Fit(shared)[0].error, 0.2 * Fit(whole)[0].error);
}

TEST(Fit, BarsOfMillionsOfBlocksAreNotLostInRounding) {
  Evidence few;
  few.Add(PairRow{0, 1, {1000, 2000, 4000, 3000, 1500}});
  Evidence many;
  many.Add(PairRow{0, 1, {1000'000'000, 2000'000'000, 4000'000'000, 3000'000'000, 1500'000'000}});
  EXPECT_NEAR(Fit(many)[0].error * 1000, Fit(few)[0].error, 0.01 * Fit(few)[0].error);
}

// The formula of fit.h in its order, centred before it is scaled, with dense matrices of 30 digits
// (mpmath). In the other order the errors would be 21.68, 21.38 and 440.57.
TEST(Fit, BarsAreThoseOfTheFormulaAndStrengthsFromTheInformationWeightedMean) {
  Evidence evidence;
  evidence.Add(PairRow{0, 1, {10, 20, 40, 30, 50}});
  evidence.Add(PairRow{1, 2, {0, 2, 3, 1, 0}});
  std::map<int, Strength> fitted = ByBot(Fit(evidence));
  EXPECT_NEAR(fitted[0].elo, 55.3931340182, 1e-6);
  EXPECT_NEAR(fitted[1].elo, -52.1176014943, 1e-6);
  EXPECT_NEAR(fitted[2].elo, -22.9314101564, 1e-6);
  EXPECT_NEAR(fitted[0].error, 20.2307899041, 1e-6);
  EXPECT_NEAR(fitted[1].error, 18.6188260014, 1e-6);
  EXPECT_NEAR(fitted[2].error, 136.916797593, 1e-6);
}

// How often bars hold the truth, relative to the mean of the truth that the fit uses.
struct Held {
  int bars = 0;
  int held = 0;
  double share() const { return static_cast<double>(held) / bars; }
};

void Count(const std::vector<Strength>& fitted, const std::vector<double>& truth,
           const std::vector<double>& shares, Held* held) {
  double mean = 0;
  for (const Strength& s : fitted)
    mean += shares[static_cast<size_t>(s.bot)] * truth[static_cast<size_t>(s.bot)];
  for (const Strength& s : fitted) {
    ++held->bars;
    held->held += std::abs(s.elo - (truth[static_cast<size_t>(s.bot)] - mean)) <= s.error ? 1 : 0;
  }
}

// The shares of the mean, as fit.h says.
std::vector<double> Shares(const Evidence& evidence, const std::vector<Strength>& fitted) {
  std::vector<double> theta(evidence.blocks_of().size());
  for (const Strength& s : fitted) theta[static_cast<size_t>(s.bot)] = s.elo / kEloPerLogit;
  std::vector<double> shares(theta.size());
  double total = 0;
  for (const PairTerm& term : Differentiate(evidence, theta).terms) {
    shares[static_cast<size_t>(term.first)] += term.information;
    shares[static_cast<size_t>(term.second)] += term.information;
    total += 2 * term.information;
  }
  for (double& share : shares) share /= total;
  return shares;
}

TEST(Fit, BarsHoldTheTruthInNinetyFivePercentWhateverTheMatchesOfABlockHaveInCommon) {
  const std::vector<double> truth = {150, 90, 40, 0, 0, -50, -80, -150};
  for (const double together : {0.0, 0.6}) {
    SimulatedBlocks simulated(5);
    Held held;
    for (int run = 0; run < 300; ++run) {
      Evidence evidence;
      for (int i = 0; i < 8; ++i) {
        for (int j = i + 1; j < 8; ++j) {
          const double lead = truth[static_cast<size_t>(i)] - truth[static_cast<size_t>(j)];
          for (int block = 0; block < 15; ++block) {
            evidence.Add(PairBlock(i, j, simulated.HalfPoints(lead, 0, together)));
          }
        }
      }
      const std::vector<Strength> fitted = Fit(evidence);
      Count(fitted, truth, Shares(evidence, fitted), &held);
    }
    EXPECT_GT(held.share(), 0.93) << together;
    EXPECT_LT(held.share(), 0.97) << together;
  }
}

TEST(Fit, OfFourSeatsHasBarsThatHoldTheTruthWhenMatchesOfABlockAreTheSame) {
  const std::vector<double> truth = {120, 40, 0, -30, -130};
  SimulatedBlocks simulated(6);
  Held held;
  for (int run = 0; run < 300; ++run) {
    Evidence evidence;
    for (int block = 0; block < 100; ++block) {
      RankedRow row;
      std::vector<double> strengths;
      for (int bot = 0; bot < 5; ++bot) {
        if (bot == block % 5) continue;
        row.bots.push_back(bot);
        strengths.push_back(truth[static_cast<size_t>(bot)] / kEloPerLogit);
      }
      const std::vector<int> ranks = simulated.Ranks(strengths);
      // Two of the four rotations end as the first did.
      row.ranks = {ranks, ranks, ranks, simulated.Ranks(strengths)};
      evidence.Add(row);
    }
    const std::vector<Strength> fitted = Fit(evidence);
    Count(fitted, truth, Shares(evidence, fitted), &held);
  }
  EXPECT_GT(held.share(), 0.93);
  EXPECT_LT(held.share(), 0.97);
}

TEST(Fit, SuperiorityIsTheShareOfRunsInWhichTheStrongerIsAhead) {
  // Equal bots: the likelihood that the first is stronger than the next is uniform above one half.
  SimulatedBlocks simulated(8);
  int sure = 0;
  constexpr int kRuns = 2000;
  for (int run = 0; run < kRuns; ++run) {
    Evidence evidence;
    for (int block = 0; block < 60; ++block) evidence.Add(PairBlock(0, 1, simulated.HalfPoints(0)));
    sure += Fit(evidence)[0].superiority > 0.95 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(sure) / kRuns, 0.10, 0.025);
}

}  // namespace
}  // namespace referee::rating
