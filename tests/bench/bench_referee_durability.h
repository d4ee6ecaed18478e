// What durability costs: the referee measured in several cases, one after the other in every round.
#ifndef REFEREE_TESTS_BENCH_BENCH_REFEREE_DURABILITY_H_
#define REFEREE_TESTS_BENCH_BENCH_REFEREE_DURABILITY_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "referee/replay/durability.h"
#include "tests/bench/bench_referee_measure.h"

namespace referee::bench {

struct DurabilityCase {
  std::string name;
  replay::Durability durability = replay::Durability::kNone;
  // Meanwhile this program writes to a file beside the referee's and syncs it every
  // limits::kLogGather, as the referee does for matches on a disk that is not fast: what that costs
  // no referee can help.
  bool other_syncs = false;
};

// "none", "match", "turn"; "other": none, with other_syncs. REQUIRES: it is one of these.
const DurabilityCase& DurabilityCaseOf(const std::string& name);

// Medians over rounds.
struct DurabilityFigures {
  std::string name;
  double turns = 0;    // a second
  double ratio = 0;    // of that to the first case's in the same round
  double own_p50 = 0;  // us
  double own_p99 = 0;  // us
};

// REQUIRES: there is a case, and a round.
absl::StatusOr<std::vector<DurabilityFigures>> MeasureDurability(
    const Conditions& conditions, const Scenario& scenario,
    const std::vector<DurabilityCase>& cases, int rounds);

}  // namespace referee::bench

#endif  // REFEREE_TESTS_BENCH_BENCH_REFEREE_DURABILITY_H_
