#include "tests/unit/ctl/stopped_duel.h"

#include <cmath>
#include <queue>
#include <random>
#include <utility>

#include "referee/base/rotation.h"
#include "referee/ctl/duel/blocks.h"

namespace referee::ctl {
namespace {

constexpr int kMatches = 1'000'000;

double Uniform(std::mt19937_64* engine) {
  return static_cast<double>((*engine)() >> 11) * 0x1.0p-53;
}

}  // namespace

DuelMatch MatchOfTwo(int index, int half_points) {
  DuelMatch match;
  match.index = index;
  for (int seat = 0; seat < 2; ++seat) {
    const int bot = PlaceOfSeat(seat, index, 2);
    const int rank = half_points == 1 ? 1 : (half_points == 2) == (bot == 0) ? 1 : 2;
    match.seats.push_back({bot, 0, rank, {}, {}, {}});
  }
  return match;
}

SimulatedStop SimulateStoppedDuel(const StoppedDuelOptions& options, uint64_t seed) {
  std::mt19937_64 engine(seed);
  SimulatedStop stop;
  stop.plan.bots = {{"x", "run"}, {"y", "run"}};
  stop.plan.matches = kMatches;
  std::priority_queue<double> free_places;  // minus the times from which places are free
  for (int i = 0; i < options.at_once; ++i) free_places.push(0);
  for (int index = 0; index < kMatches; ++index) {
    const double begun = -free_places.top();
    if (begun > options.stopped_after) break;
    free_places.pop();
    const bool won = Uniform(&engine) < 0.5;
    const double mean = won ? 1 : options.lost_takes;
    const double share = Uniform(&engine);
    const double end = begun + mean * (options.any_time ? -std::log(1 - share) : 0.5 + share);
    free_places.push(-end);
    if (end <= options.stopped_after) stop.report.matches.push_back(MatchOfTwo(index, won ? 2 : 0));
  }
  return stop;
}

rating::BlockCounts BlocksByEnds(const DuelReport& report) {
  rating::BlockCounts counts;
  for (size_t i = 0; i + 1 < report.matches.size(); ++i) {
    const DuelMatch& first = report.matches[i];
    const DuelMatch& second = report.matches[i + 1];
    if (first.index % 2 != 0 || second.index != first.index + 1) continue;
    counts.Add(HalfPointsOfMatch(first) + HalfPointsOfMatch(second));
  }
  return counts;
}

}  // namespace referee::ctl
