// How fast a ladder decides: Next, Played and two Rated, with a number of bots of which many play.
// And how long a round of a Swiss takes to be paired.
#include <cstdint>
#include <deque>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "benchmark/benchmark.h"
#include "referee/schedule/schedule.h"
#include "referee/schedule/swiss_pairing.h"

namespace referee::schedule {
namespace {

using rating::Pairing;

constexpr size_t kRunning = 50;

Spec LadderOf(int bots, int seats) {
  Spec spec;
  spec.name = "bench";
  spec.game = "hypnosia";
  spec.format = Format::kLadder;
  spec.seats = seats;
  for (int i = 0; i < bots; ++i) spec.entrants.push_back("bot" + std::to_string(i));
  return spec;
}

rating::BlockOutcome InOrder(const Pairing& pairing) {
  std::vector<int> ranks(pairing.bots.size());
  std::iota(ranks.begin(), ranks.end(), 1);
  return {pairing, std::vector<std::vector<int>>(pairing.bots.size(), ranks)};
}

void LadderDecision(benchmark::State& bench) {
  const int bots = static_cast<int>(bench.range(0));
  const int seats = static_cast<int>(bench.range(1));
  const auto schedule = Schedule::Make(LadderOf(bots, seats));
  for (int bot = 0; bot < bots; ++bot) {
    schedule->Rated(bot, {15 + bot * 20.0 / bots, 1 + (bot * 7919 % bots) * 7.0 / bots});
  }
  std::vector<bool> free(bots, true);
  std::deque<std::pair<int64_t, Pairing>> running;
  int64_t number = 0;
  int64_t waited = 0;
  const auto end_one = [&] {
    const auto [ended, pairing] = running.front();
    running.pop_front();
    schedule->Played(ended, InOrder(pairing));
    for (const int bot : pairing.bots) {
      free[bot] = true;
      schedule->Rated(bot, {15 + static_cast<double>((number * 31 + bot) % 200) / 10, 1.5});
    }
  };
  for (auto _ : bench) {
    if (running.size() >= kRunning) end_one();
    absl::optional<Pairing> next = schedule->Next(free, Instant());
    while (!next.has_value()) {
      ++waited;
      end_one();
      next = schedule->Next(free, Instant());
    }
    for (const int bot : next->bots) free[bot] = false;
    running.emplace_back(number++, *std::move(next));
  }
  bench.SetItemsProcessed(number);
  bench.counters["waited"] = static_cast<double>(waited);
}
BENCHMARK(LadderDecision)
    ->Args({100, 2})
    ->Args({1'000, 2})
    ->Args({1'000, 4})
    ->Args({1'000, 6})
    ->Args({10'000, 2});

void SwissRound(benchmark::State& bench) {
  const int bots = static_cast<int>(bench.range(0));
  std::vector<SwissBot> row;
  for (int i = 0; i < bots; ++i) row.push_back({i, (bots - i) * 20 / bots, 0});
  // As after some rounds: neighbours have met.
  const auto met = [](int a, int b) { return (a ^ b) < 6 ? 1 : 0; };
  for (auto _ : bench) benchmark::DoNotOptimize(PairSwiss(row, met));
}
BENCHMARK(SwissRound)->Arg(100)->Arg(300)->Arg(1'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace referee::schedule

BENCHMARK_MAIN();
