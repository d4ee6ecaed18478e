#include "tests/bench/bench_referee_durability.h"

#include <cstdio>

namespace referee::bench {

absl::StatusOr<std::vector<DurabilityFigures>> MeasureDurability(
    const Conditions& conditions, const Scenario& scenario,
    const std::vector<replay::Durability>& durabilities, int rounds) {
  struct Measured {
    std::vector<double> turns, ratio, own_p50, own_p99;
  };
  std::vector<Measured> measured(durabilities.size());
  for (int round = 0; round < rounds; ++round) {
    std::fprintf(stderr, "\rmatches %s, round %d of %d   ", scenario.name().c_str(), round + 1,
                 rounds);
    for (size_t i = 0; i < durabilities.size(); ++i) {
      Conditions with = conditions;
      with.durability = durabilities[i];
      const absl::StatusOr<Figures> figures = MeasureReferee(with, scenario);
      if (!figures.ok()) return figures.status();
      measured[i].turns.push_back(figures->per_second);
      measured[i].ratio.push_back(figures->per_second / measured[0].turns.back());
      measured[i].own_p50.push_back(figures->own_p50);
      measured[i].own_p99.push_back(figures->own_p99);
    }
  }
  std::fprintf(stderr, "\r%40s\r", "");
  std::vector<DurabilityFigures> all;
  for (size_t i = 0; i < durabilities.size(); ++i) {
    const Measured& one = measured[i];
    all.push_back({durabilities[i], MedianOf(one.turns), MedianOf(one.ratio), MedianOf(one.own_p50),
                   MedianOf(one.own_p99)});
  }
  return all;
}

}  // namespace referee::bench
