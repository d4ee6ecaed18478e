// A duel of two equal bots in simulated time, stopped in its middle: the first bot wins quickly and
// loses slowly. Nothing is played; the same seed gives the same duel on every machine.
#ifndef REFEREE_TESTS_UNIT_CTL_STOPPED_DUEL_H_
#define REFEREE_TESTS_UNIT_CTL_STOPPED_DUEL_H_

#include <cstdint>
#include <vector>

#include "referee/ctl/duel/duel.h"
#include "referee/rating/pentanomial.h"

namespace referee::ctl {

// A finished match of two bots, by the half points of the first.
DuelMatch MatchOfTwo(int index, int half_points);

struct StoppedDuelOptions {
  int at_once = 64;
  // In multiples of the mean time of a match that the first bot wins.
  double lost_takes = 2;
  double stopped_after = 4;
  // Matches take from 0.5 to 1.5 times their mean; or any time, exponentially distributed.
  bool any_time = false;
};

struct SimulatedStop {
  DuelPlan plan;
  DuelReport report;
};
SimulatedStop SimulateStoppedDuel(const StoppedDuelOptions& options, uint64_t seed);

// The blocks that are over, whether or not one before them is not: what the order of ends makes of
// the same duel.
rating::BlockCounts BlocksByEnds(const DuelReport& report);

}  // namespace referee::ctl

#endif  // REFEREE_TESTS_UNIT_CTL_STOPPED_DUEL_H_
