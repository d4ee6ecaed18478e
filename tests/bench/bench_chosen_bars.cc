// How far the error bars of a fit hold where who meets whom follows from results: the share of bots
// whose strength is in its interval of 95 %, relative to the information-weighted mean, after a
// Swiss or a knockout, and after as many rounds of pairs that are drawn by lot. Strengths are
// spread evenly over a range, entered in random order.
//
//   cover    the share of bars that hold
//   stretch  spread of the fitted strengths : of the true ones
//   error    mean half width of the bars, and the root mean square of what they are to bound
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

#include "referee/rating/elo.h"
#include "referee/rating/fit.h"
#include "referee/schedule/schedule.h"
#include "tests/unit/rating/simulated_blocks.h"
#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {
namespace {

struct Line {
  Format format;
  int bots;
  int rounds;
  double elo_range;
  double draws;
  double together;
};

constexpr Line kLines[] = {
    {Format::kSwiss, 8, 3, 0, 0, 0},       {Format::kSwiss, 8, 3, 400, 0, 0},
    {Format::kSwiss, 8, 3, 400, 0, 1},     {Format::kSwiss, 16, 4, 0, 0, 0},
    {Format::kSwiss, 16, 4, 0, 0, 1},      {Format::kSwiss, 16, 4, 400, 0, 0},
    {Format::kSwiss, 16, 4, 400, 0, 1},    {Format::kSwiss, 16, 4, 800, 0, 0},
    {Format::kSwiss, 16, 4, 800, 0, 1},    {Format::kSwiss, 16, 4, 400, 0.6, 0},
    {Format::kSwiss, 16, 8, 400, 0, 0},    {Format::kSwiss, 16, 8, 400, 0, 1},
    {Format::kSwiss, 16, 13, 400, 0, 0.5}, {Format::kSwiss, 32, 5, 0, 0, 0},
    {Format::kSwiss, 32, 5, 400, 0, 0},    {Format::kSwiss, 32, 5, 400, 0, 1},
    {Format::kSwiss, 32, 5, 1200, 0, 0},   {Format::kSwiss, 32, 9, 400, 0, 0},
    {Format::kSwiss, 64, 6, 0, 0, 1},      {Format::kSwiss, 64, 6, 400, 0, 0},
    {Format::kSwiss, 64, 6, 400, 0, 1},    {Format::kSwiss, 64, 6, 1200, 0, 0},
    {Format::kSwiss, 64, 12, 400, 0, 0},   {Format::kSwiss, 64, 12, 400, 0, 1},
    {Format::kKnockout, 16, 4, 0, 0, 0},   {Format::kKnockout, 16, 4, 400, 0, 0},
    {Format::kKnockout, 64, 6, 400, 0, 0}, {Format::kKnockout, 64, 6, 400, 0, 1}};

struct Figures {
  double bars = 0;
  double held = 0;
  double fitted_spread = 0;
  double true_spread = 0;
  double error = 0;
  double square = 0;
};

void Add(const rating::Evidence& evidence, const std::vector<double>& truth, Figures* figures) {
  const std::vector<rating::Strength> fitted = rating::Fit(evidence);
  // The weights of the mean, as fit.h says.
  std::vector<double> theta(truth.size());
  for (const rating::Strength& s : fitted) theta[s.bot] = s.elo / rating::kEloPerLogit;
  std::vector<double> weights(truth.size());
  double total = 0;
  for (const rating::PairTerm& term : rating::Differentiate(evidence, theta).terms) {
    weights[term.first] += term.information;
    weights[term.second] += term.information;
    total += 2 * term.information;
  }
  double mean = 0;
  for (const rating::Strength& s : fitted) mean += weights[s.bot] / total * truth[s.bot];
  for (const rating::Strength& s : fitted) {
    const double distance = s.elo - (truth[s.bot] - mean);
    ++figures->bars;
    figures->held += std::abs(distance) <= s.error ? 1 : 0;
    figures->fitted_spread += s.elo * (truth[s.bot] - mean);
    figures->true_spread += (truth[s.bot] - mean) * (truth[s.bot] - mean);
    figures->error += s.error;
    figures->square += distance * distance;
  }
}

rating::Evidence PlayFormat(const Line& line, const std::vector<double>& truth,
                            rating::SimulatedBlocks* chance) {
  rating::Evidence evidence;
  Spec spec = SpecOf(line.format, line.bots);
  if (line.format == Format::kSwiss) spec.rounds = line.rounds;
  const auto schedule = Schedule::Make(spec);
  const std::vector<bool> free(truth.size(), true);
  for (int64_t number = 0; !schedule->done(); ++number) {
    const absl::optional<rating::Pairing> next = schedule->Next(free, Instant());
    if (!next.has_value()) break;
    const double lead = truth[next->bots[0]] - truth[next->bots[1]];
    const rating::BlockOutcome outcome = rating::PairBlock(
        next->bots[0], next->bots[1], chance->HalfPoints(lead, line.draws, line.together));
    evidence.Add(outcome);
    schedule->Played(number, outcome);
  }
  return evidence;
}

rating::Evidence PlayByLot(const Line& line, const std::vector<double>& truth,
                           rating::SimulatedBlocks* chance) {
  rating::Evidence evidence;
  for (int round = 0; round < line.rounds; ++round) {
    std::vector<int> order(truth.size());
    std::iota(order.begin(), order.end(), 0);
    for (size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[static_cast<size_t>(chance->Uniform() * i)]);
    }
    for (size_t i = 0; i + 1 < order.size(); i += 2) {
      const double lead = truth[order[i]] - truth[order[i + 1]];
      evidence.Add(rating::PairBlock(order[i], order[i + 1],
                                     chance->HalfPoints(lead, line.draws, line.together)));
    }
  }
  return evidence;
}

void Print(const Figures& figures) {
  std::printf("  %6.3f", figures.held / figures.bars);
  if (figures.true_spread > 0) {
    std::printf(" %7.2f", figures.fitted_spread / figures.true_spread);
  } else {
    std::printf(" %7s", "-");
  }
  std::printf(" %6.0f %6.0f", figures.error / figures.bars,
              std::sqrt(figures.square / figures.bars));
}

void Play(const Line& line) {
  rating::SimulatedBlocks chance(1);
  Figures chosen;
  Figures lot;
  const int runs = 6'400 / line.bots;
  for (int run = 0; run < runs; ++run) {
    std::vector<double> truth;
    for (int i = 0; i < line.bots; ++i) {
      truth.push_back(line.elo_range * (static_cast<double>(i) / (line.bots - 1) - 0.5));
    }
    for (size_t i = truth.size(); i > 1; --i) {
      std::swap(truth[i - 1], truth[static_cast<size_t>(chance.Uniform() * i)]);
    }
    Add(PlayFormat(line, truth, &chance), truth, &chosen);
    Add(PlayByLot(line, truth, &chance), truth, &lot);
  }
  std::printf("%-8s %4d %6d %6.0f %5.1f %6.1f",
              line.format == Format::kSwiss ? "Swiss" : "knockout", line.bots, line.rounds,
              line.elo_range, line.draws, line.together);
  Print(chosen);
  Print(lot);
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace
}  // namespace referee::schedule

int main() {
  std::printf("%-8s %4s %6s %6s %5s %6s  %29s  %29s\n", "format", "bots", "rounds", "range",
              "draws", "common", "cover stretch error rms", "by lot: cover stretch error rms");
  for (const auto& line : referee::schedule::kLines) referee::schedule::Play(line);
}
