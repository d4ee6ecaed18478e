// What watchers at a gate cost the bots that play: a referee in a process of its own, bots that
// answer at a pace, and the referee's CPU and own time of a turn, without watchers and with them.
// The referee has a processor for itself, if there are two; all else, the crowd too, shares
// another. In the measurement without watchers the same crowd watches the matches of another
// referee, so that the machine has the same work: what is measured is what watchers ask of the
// referee, not that a machine is busy.
#ifndef REFEREE_TESTS_BENCH_BENCH_GATE_BESIDE_H_
#define REFEREE_TESTS_BENCH_BENCH_GATE_BESIDE_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"

namespace referee::bench {

struct BesideWatchers {
  std::string refgate;
  size_t watchers = 10'000;
  size_t watched = 10;  // matches, of those that are played
  int matches = 50;     // played at once
  double rate = 10;     // turns a second, of each
  int seconds = 20;     // of each measurement
  int rounds = 2;       // of a measurement without watchers and one with them
};

// Prints the figures of each measurement, and the medians' ratios.
absl::Status MeasureBesideWatchers(const BesideWatchers& conditions);

}  // namespace referee::bench

#endif  // REFEREE_TESTS_BENCH_BENCH_GATE_BESIDE_H_
