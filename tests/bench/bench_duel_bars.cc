// How far the bars of a duel of two bots hold: the share of duels whose interval of 95 % holds the
// true difference, over strengths, draws, what the two matches of a block have in common, and
// lengths from 3 to 1,000 blocks. The seed is fixed: the same tables on every machine.
//
//   first table   by length, over all 60 fields (5 strengths, 3 shares of draws, 4 ways of having
//                 something in common): the least and the mean coverage, the field with the least,
//                 the median width in Elo where both bounds are finite (mean over fields), and how
//                 often two equal bots are told apart with a likelihood of more than 97.5 %
//   second table  the bounds of single results
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "referee/rating/pentanomial.h"
#include "tests/unit/rating/simulated_blocks.h"

namespace referee::rating {
namespace {

constexpr int kLengths[] = {3, 5, 10, 20, 30, 50, 100, 300, 1'000};
constexpr double kStrengths[] = {0, 40, 120, 300, 600};
constexpr double kDraws[] = {0, 0.4, 0.8};
constexpr double kTogether[] = {-1, 0, 0.5, 1};

struct Tally {
  int runs = 0;
  int held = 0;
  int told_apart = 0;
  std::vector<double> widths;  // of finite intervals
};

// Estimates by counts: few blocks often give the same.
class Estimates {
 public:
  const EloEstimate& Of(const BlockCounts& counts) {
    const auto [place, added] = known_.try_emplace(counts.counts());
    if (added) place->second = *EstimateElo(counts);
    return place->second;
  }

 private:
  std::map<std::vector<int64_t>, EloEstimate> known_;
};

Tally Play(int blocks, double elo, double draws, double together, int runs) {
  SimulatedBlocks simulated(static_cast<uint64_t>(blocks) * 7919 + 1);
  Estimates estimates;
  Tally tally;
  for (; tally.runs < runs; ++tally.runs) {
    BlockCounts counts;
    for (int i = 0; i < blocks; ++i) counts.Add(simulated.HalfPoints(elo, draws, together));
    const EloEstimate& estimate = estimates.Of(counts);
    tally.held += estimate.elo_low <= elo && elo <= estimate.elo_high ? 1 : 0;
    tally.told_apart += estimate.superiority > 0.975 || estimate.superiority < 0.025 ? 1 : 0;
    const double width = estimate.elo_high - estimate.elo_low;
    if (std::isfinite(width)) tally.widths.push_back(width);
  }
  return tally;
}

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

void PrintLength(int blocks) {
  const int runs = blocks < 300 ? 4'000 : 2'000;
  double least = 1;
  std::string where;
  double coverage = 0;
  double told_apart = 0;
  double width = 0;
  int fields = 0;
  int equal_fields = 0;
  int finite_fields = 0;
  for (const double elo : kStrengths) {
    for (const double draws : kDraws) {
      for (const double together : kTogether) {
        const Tally tally = Play(blocks, elo, draws, together, runs);
        const double held = static_cast<double>(tally.held) / runs;
        if (held < least) {
          least = held;
          char text[64];
          std::snprintf(text, sizeof text, "%+.0f Elo, draws %.1f, common %+.1f", elo, draws,
                        together);
          where = text;
        }
        coverage += held;
        ++fields;
        if (elo == 0) {
          told_apart += static_cast<double>(tally.told_apart) / runs;
          ++equal_fields;
        }
        if (tally.widths.empty()) continue;
        width += Median(tally.widths);
        ++finite_fields;
      }
    }
  }
  std::printf("%6d  %6.3f %6.3f  %-36s %9.1f %8.3f\n", blocks, least, coverage / fields,
              where.c_str(), finite_fields == 0 ? std::nan("") : width / finite_fields,
              told_apart / equal_fields);
  std::fflush(stdout);
}

void PrintResult(const std::vector<int64_t>& counts) {
  const EloEstimate estimate = *EstimateElo(Counts(counts));
  std::string text;
  for (const int64_t count : counts) text += std::to_string(count) + " ";
  std::printf("%-26s %9.1f %9.1f %9.1f %9.3f\n", text.c_str(), estimate.elo, estimate.elo_low,
              estimate.elo_high, 100 * estimate.superiority);
}

}  // namespace
}  // namespace referee::rating

int main() {
  std::printf("%6s  %6s %6s  %-36s %9s %8s\n", "blocks", "least", "mean", "field with the least",
              "width", "apart");
  for (const int blocks : referee::rating::kLengths) referee::rating::PrintLength(blocks);
  std::printf("\n%-26s %9s %9s %9s %9s\n", "blocks by half points", "Elo", "from", "to",
              "superior");
  for (const std::vector<int64_t>& counts :
       std::vector<std::vector<int64_t>>{{0, 0, 0, 0, 1},
                                         {0, 0, 0, 0, 5},
                                         {0, 0, 1, 0, 5},
                                         {0, 0, 5, 0, 0},
                                         {1, 1, 3, 4, 3},
                                         {5, 10, 30, 15, 10},
                                         {0, 0, 0, 0, 50},
                                         {34, 54, 63, 64, 75},
                                         {332, 433, 498, 333, 334},
                                         {7895, 8757, 5685, 568, 9999}}) {
    referee::rating::PrintResult(counts);
  }
}
