#include "referee/rating/sprt.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/unit/rating/simulated_blocks.h"

namespace referee::rating {
namespace {

using ::testing::HasSubstr;

// The figures are those of fastchess's tests of its logistic model.
TEST(LogLikelihoodRatio, AgreesWithPublishedPentanomialFigures) {
  EXPECT_NEAR(LogLikelihoodRatio(Counts({223, 9863, 21279, 10037, 246}), 0.5, 2.5), -3.07, 0.03);
  EXPECT_NEAR(LogLikelihoodRatio(Counts({871, 26175, 55983, 26678, 821}), 0, 2), -4.98, 0.05);
}

TEST(LogLikelihoodRatio, AgreesWithPublishedTrinomialFigures) {
  EXPECT_NEAR(LogLikelihoodRatio(Counts({21184, 40708, 21404}), 0.5, 2.5), -1.57, 0.02);
  EXPECT_NEAR(LogLikelihoodRatio(Counts({57030, 106593, 57433}), 0, 2), -2.59, 0.03);
}

TEST(LogLikelihoodRatio, OfMatchesWonAndLostOnlyIsTheBinomialOne) {
  // Blocks of one match without draws: ln of s1^w (1-s1)^l / s0^w (1-s0)^l.
  const double s0 = 1 / (1 + std::pow(10, -0.0 / 400));
  const double s1 = 1 / (1 + std::pow(10, -50.0 / 400));
  const double expected = 60 * std::log(s1 / s0) + 40 * std::log((1 - s1) / (1 - s0));
  EXPECT_NEAR(LogLikelihoodRatio(Counts({40, 0, 60}), 0, 50), expected, 1e-3);
}

TEST(LogLikelihoodRatio, IsFiniteWhateverWasNeverSeen) {
  EXPECT_EQ(LogLikelihoodRatio(BlockCounts(), 0, 10), 0);
  for (size_t only = 0; only < 5; ++only) {
    std::vector<int64_t> counts(5);
    counts[only] = 1'000'000;
    for (const double elo0 : {-1000.0, 990.0}) {
      EXPECT_TRUE(std::isfinite(LogLikelihoodRatio(Counts(counts), elo0, elo0 + 10))) << only;
    }
    const double ratio = LogLikelihoodRatio(Counts(counts), -5, 5);
    EXPECT_TRUE(only < 2 ? ratio < 0 : only > 2 ? ratio > 0 : std::abs(ratio) < 1e-3) << ratio;
  }
}

TEST(LogLikelihoodRatio, TurnsItsSignWhenTheBotsAndTheHypothesesTurn) {
  const double ratio = LogLikelihoodRatio(Counts({3, 10, 40, 12, 7}), 0, 20);
  EXPECT_NEAR(LogLikelihoodRatio(Counts({7, 12, 40, 10, 3}), -20, 0), -ratio, 1e-9);
}

// The iteration of the document that sprt.h names, with bisection in Python; the first and the
// third have the counts and bounds of fishtest's own examples. And for bots that are nearly equal
// its section 4.2: of n matches n/2 ln((1 + (t - t0)^2) / (1 + (t - t1)^2)).
TEST(LogLikelihoodRatio, OfNormalizedEloAgreesWithFiguresFoundElsewhere) {
  const auto ratio = [](const std::vector<int64_t>& counts, double nelo0, double nelo1) {
    return LogLikelihoodRatio(Counts(counts), nelo0, nelo1, EloScale::kNormalized);
  };
  EXPECT_NEAR(ratio({39, 2226, 31451, 2412, 40}, 0.764, 3.439), 2.1629408696, 1e-8);
  EXPECT_NEAR(ratio({223, 9863, 21279, 10037, 246}, 0.5, 2.5), 0.4067989590, 1e-8);
  EXPECT_NEAR(ratio({10789, 19328, 33806, 19402, 10543}, -3, 1), 0.3008697855, 1e-8);
  EXPECT_NEAR(ratio({21184, 40708, 21404}, 0.5, 2.5), -0.2989848897, 1e-8);
  EXPECT_NEAR(ratio({10, 20, 40, 30, 50}, 0, 20), 4.8488782682, 1e-8);

  const double t = EstimateElo(Counts({223, 9863, 21279, 10037, 246}))->normalized_elo;
  constexpr double kUnit = 347.43558552260146;
  const double matches = 2 * (223 + 9863 + 21279 + 10037 + 246);
  const double near =
      matches / 2 *
      std::log((1 + std::pow((t - 0.5) / kUnit, 2)) / (1 + std::pow((t - 2.5) / kUnit, 2)));
  EXPECT_NEAR(ratio({223, 9863, 21279, 10037, 246}, 0.5, 2.5), near, 0.01);
}

TEST(LogLikelihoodRatio, OfNormalizedEloIsFiniteWhateverWasNeverSeen) {
  for (size_t only = 0; only < 5; ++only) {
    for (const int64_t blocks : {1, 1'000'000}) {
      std::vector<int64_t> counts(5);
      counts[only] = blocks;
      for (const double nelo0 : {-200.0, 0.0, 190.0}) {
        EXPECT_TRUE(std::isfinite(
            LogLikelihoodRatio(Counts(counts), nelo0, nelo0 + 10, EloScale::kNormalized)))
            << only;
      }
    }
  }
}

TEST(Sprt, StaysWithWhatItDecided) {
  Sprt sprt({0, 50, 0.05, 0.05});
  while (sprt.accepted() == Hypothesis::kNone) sprt.Add(4);
  EXPECT_EQ(sprt.accepted(), Hypothesis::kH1);
  EXPECT_GE(sprt.log_likelihood_ratio(), sprt.terms().upper_bound());
  const int64_t blocks = sprt.counts().blocks();
  for (int i = 0; i < 1000; ++i) sprt.Add(0);
  EXPECT_EQ(sprt.accepted(), Hypothesis::kH1);
  EXPECT_EQ(sprt.counts().blocks(), blocks);
}

TEST(Sprt, IsTheSameOfTheCountsAloneAtAnyTime) {
  const int results[] = {4, 2, 3, 1, 4, 4, 2, 4, 3, 4};
  Sprt sprt({0, 50, 0.05, 0.05});
  for (int i = 0; i < 1000 && sprt.accepted() == Hypothesis::kNone; ++i) {
    sprt.Add(results[i % 10]);
    const Sprt again(sprt.terms(), sprt.counts());
    EXPECT_EQ(again.log_likelihood_ratio(), sprt.log_likelihood_ratio());
    EXPECT_EQ(again.accepted(), sprt.accepted());
  }
  EXPECT_EQ(sprt.accepted(), Hypothesis::kH1);
}

TEST(Sprt, EndsWhenNothingButSharedBlocksComes) {
  Sprt sprt({0, 10, 0.05, 0.05});
  for (int i = 0; i < 10'000 && sprt.accepted() == Hypothesis::kNone; ++i) sprt.Add(2);
  EXPECT_EQ(sprt.accepted(), Hypothesis::kH0);
}

// How often a test accepts H1.
double AcceptsH1(double elo, const SprtTerms& terms, double draws, double together) {
  constexpr int kRuns = 1000;
  SimulatedBlocks simulated(7);
  int accepted = 0;
  for (int run = 0; run < kRuns; ++run) {
    Sprt sprt(terms);
    while (sprt.accepted() == Hypothesis::kNone) {
      sprt.Add(simulated.HalfPoints(elo, draws, together));
    }
    accepted += sprt.accepted() == Hypothesis::kH1 ? 1 : 0;
  }
  return static_cast<double>(accepted) / kRuns;
}

// Two deviations of what 1,000 runs show of a rate of 5 % or 10 % are 1.4 % and 1.9 %.
TEST(Sprt, ErrsNoMoreOftenThanItSays) {
  const SprtTerms terms{0, 60, 0.05, 0.10};
  for (const auto& [draws, together] :
       std::vector<std::pair<double, double>>{{0, 0}, {0.5, 0}, {0, 0.7}, {0.5, 0.7}}) {
    EXPECT_LT(AcceptsH1(0, terms, draws, together), 0.05 + 0.014) << draws << " " << together;
    EXPECT_GT(AcceptsH1(60, terms, draws, together), 0.90 - 0.019) << draws << " " << together;
  }
}

TEST(ParseSprtTerms, TakesTermsInAnyOrder) {
  const SprtTerms terms = ParseSprtTerms("beta=0.1,elo1=10,elo0=-2.5").value();
  EXPECT_EQ(terms.elo0, -2.5);
  EXPECT_EQ(terms.elo1, 10);
  EXPECT_EQ(terms.alpha, 0.05);
  EXPECT_EQ(terms.beta, 0.1);
  EXPECT_EQ(SprtTermsText(terms), "elo0=-2.5,elo1=10,alpha=0.05,beta=0.1");
  EXPECT_NEAR(terms.upper_bound(), std::log(0.9 / 0.05), 1e-12);
  EXPECT_NEAR(terms.lower_bound(), std::log(0.1 / 0.95), 1e-12);
}

TEST(ParseSprtTerms, TakesNormalizedElo) {
  const SprtTerms terms = ParseSprtTerms("nelo0=-1.5,nelo1=3,alpha=0.1").value();
  EXPECT_EQ(terms.elo0, -1.5);
  EXPECT_EQ(terms.elo1, 3);
  EXPECT_EQ(terms.scale, EloScale::kNormalized);
  EXPECT_EQ(SprtTermsText(terms), "nelo0=-1.5,nelo1=3,alpha=0.1,beta=0.05");
}

TEST(ParseSprtTerms, TakesPresetsByNameAndWhatIsToBeElse) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"stc", "nelo0=0,nelo1=2,alpha=0.05,beta=0.05"},
      {"ltc", "nelo0=0.5,nelo1=2.5,alpha=0.05,beta=0.05"},
      {"nonregression", "nelo0=-1.75,nelo1=0.25,alpha=0.05,beta=0.05"},
      {"gain", "nelo0=0,nelo1=20,alpha=0.05,beta=0.05"},
      {"gain,beta=0.1,nelo1=30", "nelo0=0,nelo1=30,alpha=0.05,beta=0.1"},
  };
  for (const auto& [text, terms] : cases) {
    EXPECT_EQ(SprtTermsText(ParseSprtTerms(text).value()), terms) << text;
  }
}

// Each preset reads as what it says it stands for.
TEST(SprtPresets, AreTermsThatCanBeWritten) {
  for (const SprtPreset& preset : SprtPresets()) {
    const std::string text = SprtTermsText(preset.terms);
    EXPECT_EQ(SprtTermsText(ParseSprtTerms(text).value()), text) << preset.name;
  }
}

TEST(ParseSprtTerms, SaysWhatIsWrong) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "it is no term of a test"},
      {"elo0=0", "elo1 is missing"},
      {"elo1=5", "elo0 is missing"},
      {"elo0=0,elo1=5,", "'' is no term of a test"},
      {"elo0=0,elo1=5,gamma=1", "'gamma' is no term of a test"},
      {"elo0=0,elo0=1,elo1=5", "elo0 is given twice"},
      {"elo0=0,elo1=five", "elo1 is a number, not 'five'"},
      {"elo0=0,elo1", "elo1 is a number, not ''"},
      {"elo0=0,elo1=nan", "elo1 is a number, not 'nan'"},
      {"nelo0=0", "nelo1 is missing"},
      {"nelo0=0,elo1=5", "elo and nelo are two scales"},
      {"stc,elo1=5", "elo and nelo are two scales"},
      {"nelo0=0,nelo1=500", "nelo0 and nelo1 are from -200 to 200"},
      {"elo0=0,elo1=5,stc", "'stc' is no term of a test"},
      {"quick", "'quick': it is no term of a test"},
      {"elo0=0,elo1=1e9", "from -1000 to 1000"},
      {"elo0=5,elo1=5", "elo0 must be less than elo1"},
      {"elo0=0,elo1=5,alpha=0", "between 0 and 0.5"},
      {"elo0=0,elo1=5,beta=0.5", "between 0 and 0.5"},
  };
  for (const auto& [text, problem] : cases) {
    const absl::Status status = ParseSprtTerms(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(status.message()), HasSubstr(problem)) << text;
    EXPECT_THAT(std::string(status.message()), HasSubstr("expected terms such as elo0=0,elo1=10"));
  }
}

}  // namespace
}  // namespace referee::rating
