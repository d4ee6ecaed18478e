// What others cost those who play: the referee measured alone, beside many idle bots, and beside a
// bot that floods it.
//
// An idle bot runs no code of the referee. What it costs others is mostly that Debian builds gRPC
// with its assertions: each operation that ends is looked up, one by one, among all that are under
// way (grpc_completion_queue, cq_check_tag), of which each open stream has two.
#ifndef REFEREE_TESTS_BENCH_BENCH_REFEREE_BESIDE_H_
#define REFEREE_TESTS_BENCH_BENCH_REFEREE_BESIDE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "tests/bench/bench_referee_measure.h"

namespace referee::bench {

// One round's figures of a scenario.
struct BesideRound {
  Figures alone;
  Figures idle;   // beside `idle_bots` that are connected and play nothing
  Figures flood;  // beside a bot that owes a move and sends empty messages instead, all it can
  double idle_kib = 0;  // resident memory of the server for one idle bot on its own connection
};

// Medians over rounds.
struct BesideSummary {
  Scenario scenario;
  double turns = 0;        // a second, alone
  double idle_ratio = 0;   // of turns a second
  double own_p99 = 0;      // us, alone
  double flood_ratio = 0;  // of the 99th percentile of the referee's own time
  double flood_turns_ratio = 0;
  double idle_kib = 0;
};

absl::StatusOr<BesideRound> MeasureBeside(const Conditions& conditions, const Scenario& scenario,
                                          int idle_bots);
// REQUIRES: there is a round.
BesideSummary SummariseBeside(const Scenario& scenario, const std::vector<BesideRound>& rounds);

}  // namespace referee::bench

#endif  // REFEREE_TESTS_BENCH_BENCH_REFEREE_BESIDE_H_
