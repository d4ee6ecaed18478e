// The referee's own delay when it is not driven as fast as it can go: at a part of that rate.
#ifndef REFEREE_TESTS_BENCH_BENCH_REFEREE_LOAD_H_
#define REFEREE_TESTS_BENCH_BENCH_REFEREE_LOAD_H_

#include "absl/status/statusor.h"
#include "tests/bench/bench_referee_measure.h"

namespace referee::bench {

// Medians over rounds.
struct LoadFigures {
  double full_turns = 0;  // a second, of bots that answer at once
  double load = 0;        // the part of that which was reached
  // The referee's own time of a turn under that load, in us, and the server's CPU.
  double own_p50 = 0;
  double own_p99 = 0;
  double own_p999 = 0;
  double cpu_micros = 0;
  // The bare referee's, with bots that think for as long.
  double bare_p50 = 0;
  double bare_p99 = 0;
  double bare_p999 = 0;
};

// In each round, first what the referee does at the most, then at about the part `load` of that,
// above 0 and below 1: its bots think before each answer, all equally long.
absl::StatusOr<LoadFigures> MeasureLoad(const Conditions& conditions, const Scenario& scenario,
                                        double load, int rounds);

}  // namespace referee::bench

#endif  // REFEREE_TESTS_BENCH_BENCH_REFEREE_LOAD_H_
