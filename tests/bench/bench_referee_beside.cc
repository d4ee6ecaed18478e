#include "tests/bench/bench_referee_beside.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace referee::bench {
namespace {

template <typename Figure>
double MedianOf(const std::vector<BesideRound>& rounds, Figure figure) {
  std::vector<double> values;
  for (const BesideRound& round : rounds) values.push_back(figure(round));
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

absl::StatusOr<BesideRound> MeasureBeside(const Conditions& conditions, const Scenario& scenario,
                                          int idle_bots) {
  Conditions idle = conditions;
  idle.idle_bots = idle_bots;
  Conditions flood = conditions;
  flood.flood = true;
  BesideRound round;
  for (const auto& [where, figures] :
       {std::pair(&conditions, &round.alone), std::pair(&std::as_const(idle), &round.idle),
        std::pair(&std::as_const(flood), &round.flood)}) {
    const absl::StatusOr<Figures> measured = MeasureReferee(*where, scenario);
    if (!measured.ok()) return measured.status();
    *figures = *measured;
  }
  round.idle_kib = round.idle.idle_kib;
  return round;
}

BesideSummary SummariseBeside(const Scenario& scenario, const std::vector<BesideRound>& rounds) {
  BesideSummary summary;
  summary.scenario = scenario;
  summary.turns = MedianOf(rounds, [](const BesideRound& r) { return r.alone.per_second; });
  summary.own_p99 = MedianOf(rounds, [](const BesideRound& r) { return r.alone.own_p99; });
  summary.idle_ratio =
      MedianOf(rounds, [](const BesideRound& r) { return r.idle.per_second / r.alone.per_second; });
  summary.flood_ratio =
      MedianOf(rounds, [](const BesideRound& r) { return r.flood.own_p99 / r.alone.own_p99; });
  summary.flood_turns_ratio = MedianOf(
      rounds, [](const BesideRound& r) { return r.flood.per_second / r.alone.per_second; });
  summary.idle_kib = MedianOf(rounds, [](const BesideRound& r) { return r.idle_kib; });
  return summary;
}

}  // namespace referee::bench
