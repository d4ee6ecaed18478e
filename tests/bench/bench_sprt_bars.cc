// What is reported of the strength of a bot after a sequential test has stopped: the plain estimate
// of the blocks, as if their number had been fixed, and the one that is corrected for the stopping.
// The seed is fixed.
//
//   blocks  in the mean
//   bias    the mean of the estimate less the truth, in Elo (of estimates that are finite)
//   above   the share of tests whose estimate is above the truth: half of them should be
//   cover   the share whose interval of 95 % holds the truth
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "referee/rating/pentanomial.h"
#include "referee/rating/sprt.h"
#include "referee/rating/sprt_estimate.h"
#include "tests/unit/rating/simulated_blocks.h"

namespace referee::rating {
namespace {

constexpr int kTests = 2'000;

struct Line {
  const char* terms;
  double elo;
  double draws;
  double together;
};

constexpr Line kLines[] = {
    {"elo0=0,elo1=20", -20, 0, 0},
    {"elo0=0,elo1=20", 0, 0, 0},
    {"elo0=0,elo1=20", 10, 0, 0},
    {"elo0=0,elo1=20", 20, 0, 0},
    {"elo0=0,elo1=20", 40, 0, 0},
    {"elo0=0,elo1=20", 20, 0.5, 0},
    {"elo0=0,elo1=20", 20, 0, 1},
    {"elo0=0,elo1=60", 0, 0, 0},
    {"elo0=0,elo1=60", 30, 0, 0},
    {"elo0=0,elo1=60", 60, 0, 0},
    {"elo0=0,elo1=60", 60, 0.5, 0.5},
    {"elo0=0,elo1=60", 150, 0, 0},
    {"elo0=0,elo1=60", 60, 0, 1},
    {"elo0=0,elo1=200", 0, 0, 0},
    {"elo0=0,elo1=200", 100, 0, 0},
    {"elo0=0,elo1=200", 200, 0, 1},
    {"elo0=-20,elo1=0", 0, 0.3, 0},
    {"gain", 0, 0, 0},
    {"gain", 10, 0.5, 0},
    {"gain", 20, 0, 1},
};

struct Figures {
  int finite = 0;
  double bias = 0;
  double above = 0;
  double held = 0;

  void Add(double elo, double low, double high, double truth) {
    above += elo > truth ? 1.0 / kTests : 0;
    held += low <= truth && truth <= high ? 1.0 / kTests : 0;
    if (!std::isfinite(elo)) return;
    ++finite;
    bias += elo - truth;
  }
  void Print() const { std::printf("  %+7.1f %6.3f %6.3f", bias / finite, above, held); }
};

void Play(const Line& line) {
  SimulatedBlocks simulated(3);
  const SprtTerms terms = *ParseSprtTerms(line.terms);
  Figures plain;
  Figures corrected;
  double blocks = 0;
  for (int test = 0; test < kTests; ++test) {
    Sprt sprt(terms);
    while (sprt.accepted() == Hypothesis::kNone) {
      sprt.Add(simulated.HalfPoints(line.elo, line.draws, line.together));
    }
    blocks += static_cast<double>(sprt.counts().blocks()) / kTests;
    const EloEstimate before = *EstimateElo(sprt.counts());
    plain.Add(before.elo, before.elo_low, before.elo_high, line.elo);
    const SprtEstimate after = *EstimateAfter(sprt);
    corrected.Add(after.elo, after.elo_low, after.elo_high, line.elo);
  }
  std::printf("%-16s %4.0f %5.1f %6.1f %7.0f", line.terms, line.elo, line.draws, line.together,
              blocks);
  plain.Print();
  corrected.Print();
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace
}  // namespace referee::rating

int main() {
  std::printf("%-16s %4s %5s %6s %7s  %22s  %22s\n", "terms", "Elo", "draws", "common", "blocks",
              "plain: bias above cover", "after: bias above cover");
  for (const auto& line : referee::rating::kLines) referee::rating::Play(line);
}
