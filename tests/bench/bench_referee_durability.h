// What durability costs: the referee measured with each, one after the other in every round.
#ifndef REFEREE_TESTS_BENCH_BENCH_REFEREE_DURABILITY_H_
#define REFEREE_TESTS_BENCH_BENCH_REFEREE_DURABILITY_H_

#include <vector>

#include "absl/status/statusor.h"
#include "referee/replay/durability.h"
#include "tests/bench/bench_referee_measure.h"

namespace referee::bench {

// Medians over rounds.
struct DurabilityFigures {
  replay::Durability durability = replay::Durability::kNone;
  double turns = 0;    // a second
  double ratio = 0;    // of that to the first durability's in the same round
  double own_p50 = 0;  // us
  double own_p99 = 0;  // us
};

// REQUIRES: there is a durability, and a round.
absl::StatusOr<std::vector<DurabilityFigures>> MeasureDurability(
    const Conditions& conditions, const Scenario& scenario,
    const std::vector<replay::Durability>& durabilities, int rounds);

}  // namespace referee::bench

#endif  // REFEREE_TESTS_BENCH_BENCH_REFEREE_DURABILITY_H_
