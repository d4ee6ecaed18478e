#include "tests/bench/bench_referee_load.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <vector>

#include "absl/time/time.h"

namespace referee::bench {
namespace {

double MedianOf(const std::vector<LoadFigures>& rounds, double LoadFigures::*figure) {
  std::vector<double> values;
  for (const LoadFigures& one : rounds) values.push_back(one.*figure);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

absl::StatusOr<LoadFigures> MeasureRoundAt(const Conditions& conditions, const Scenario& scenario,
                                           double load) {
  const absl::StatusOr<Figures> full = MeasureReferee(conditions, scenario);
  if (!full.ok()) return full.status();
  // A match waits for one bot at a time, so each has one turn in a think and a delay, which is
  // small beside it.
  Conditions thinking = conditions;
  thinking.think = absl::Seconds(scenario.matches / (load * full->per_second));
  const absl::StatusOr<Figures> part = MeasureReferee(thinking, scenario);
  if (!part.ok()) return part.status();
  const absl::StatusOr<Figures> bare = MeasureReferee(thinking, scenario, kBare);
  if (!bare.ok()) return bare.status();
  return LoadFigures{full->per_second, part->per_second / full->per_second,
                     part->own_p50,    part->own_p99,
                     part->own_p999,   part->cpu_micros,
                     bare->own_p50,    bare->own_p99,
                     bare->own_p999};
}

}  // namespace

absl::StatusOr<LoadFigures> MeasureLoad(const Conditions& conditions, const Scenario& scenario,
                                        double load, int rounds) {
  std::vector<LoadFigures> measured;
  for (int round = 0; round < rounds; ++round) {
    std::fprintf(stderr, "\rmatches %s, round %d of %d   ", scenario.name().c_str(), round + 1,
                 rounds);
    const absl::StatusOr<LoadFigures> one = MeasureRoundAt(conditions, scenario, load);
    if (!one.ok()) return one.status();
    measured.push_back(*one);
  }
  std::fprintf(stderr, "\r%40s\r", "");
  const auto median = [&](double LoadFigures::*figure) { return MedianOf(measured, figure); };
  return LoadFigures{median(&LoadFigures::full_turns), median(&LoadFigures::load),
                     median(&LoadFigures::own_p50),    median(&LoadFigures::own_p99),
                     median(&LoadFigures::own_p999),   median(&LoadFigures::cpu_micros),
                     median(&LoadFigures::bare_p50),   median(&LoadFigures::bare_p99),
                     median(&LoadFigures::bare_p999)};
}

}  // namespace referee::bench
