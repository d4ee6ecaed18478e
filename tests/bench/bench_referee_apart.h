// What it costs that bots are processes of their own, as those of a duel are: the least that their
// messages go from process to process, whoever the bots are.
#ifndef REFEREE_TESTS_BENCH_BENCH_REFEREE_APART_H_
#define REFEREE_TESTS_BENCH_BENCH_REFEREE_APART_H_

#include <string>

#include "absl/status/statusor.h"
#include "tests/bench/bench_referee_measure.h"
#include "tests/bench/bench_referee_server.h"

namespace referee::bench {

// Medians over rounds.
struct ApartFigures {
  double together = 0;  // turns a second, with all bots in one process
  double apart = 0;     // the same, with each in its own
  double ratio = 0;     // of that to the one before, in the same round
};

// `kind` is kReferee or kBare. REQUIRES: there is a round.
absl::StatusOr<ApartFigures> MeasureTogetherAndApart(const Conditions& conditions,
                                                     const Scenario& scenario,
                                                     const std::string& kind, int rounds);

// The process of a bot that plays prepared games at `settings.listen` until its input ends. Returns
// the exit status.
int PlayAsBot(const ServerSettings& settings);

}  // namespace referee::bench

#endif  // REFEREE_TESTS_BENCH_BENCH_REFEREE_APART_H_
