// What a duel of two equal bots says when it is stopped in its middle, the first bot winning
// quickly and losing slowly (simulated; tests/unit/ctl/stopped_duel.h). The Elo of the score over
// 2,000 duels, from all blocks that ended and from the blocks that are reported, which are those
// before the first that was not over; and how many these are in the mean. Times are near their
// mean, or any. The seeds are fixed.
#include <cstdint>
#include <cstdio>

#include "referee/ctl/duel/blocks.h"
#include "tests/unit/ctl/stopped_duel.h"

namespace referee::ctl {
namespace {

constexpr int kDuels = 2'000;

constexpr StoppedDuelOptions kLines[] = {{2, 2, 20, false}, {8, 2, 10, false},  {64, 1, 4, false},
                                         {64, 2, 3, false}, {64, 2, 4, false},  {64, 2, 8, false},
                                         {64, 4, 8, false}, {256, 2, 4, false}, {64, 2, 4, true},
                                         {64, 2, 8, true},  {64, 4, 16, true}};

void AddTo(const rating::BlockCounts& some, rating::BlockCounts* sum) {
  for (size_t i = 0; i < some.counts().size(); ++i) {
    sum->AddBlocks(static_cast<int>(i), some.counts()[i]);
  }
}

void Print(const StoppedDuelOptions& line) {
  rating::BlockCounts by_ends;
  rating::BlockCounts reported;
  for (uint64_t seed = 1; seed <= kDuels; ++seed) {
    const SimulatedStop stop = SimulateStoppedDuel(line, seed);
    AddTo(BlocksByEnds(stop.report), &by_ends);
    AddTo(CountBlocks(stop.plan, stop.report)->counts, &reported);
  }
  const auto old_estimate = EstimateElo(by_ends);
  const auto estimate = EstimateElo(reported);
  std::printf("%7d %10.0f %13.0f  %-7s %+9.1f %7.1f %+9.1f %7.1f   from %+.1f to %+.1f\n",
              line.at_once, line.lost_takes, line.stopped_after, line.any_time ? "any" : "near",
              old_estimate->elo, static_cast<double>(by_ends.blocks()) / kDuels, estimate->elo,
              static_cast<double>(reported.blocks()) / kDuels, estimate->elo_low,
              estimate->elo_high);
}

}  // namespace
}  // namespace referee::ctl

int main() {
  std::printf("%7s %10s %13s  %-7s %17s %17s\n", "at once", "lost takes", "stopped after", "times",
              "ended: Elo blocks", "reported: Elo, blocks");
  for (const auto& line : referee::ctl::kLines) referee::ctl::Print(line);
}
