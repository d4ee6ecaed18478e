// What metrics cost: one observation, alone and beside another thread, and a scrape of all series.

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "benchmark/benchmark.h"
#include "referee/metrics/metrics.h"

namespace referee::metrics {
namespace {

Metrics& All() {
  static Metrics* const metrics = [] {
    Names names;
    names.version = "bench";
    names.games = {"hypnosia", "isaac"};
    names.causes = {"TIMEOUT", "ILLEGAL", "DISCONNECTED", "RESIGNED"};
    names.endings = {"FINISHED", "VOID", "CANCELLED"};
    names.block_outcomes = {"PLAYED", "FORFEITED", "DROPPED", "VOID"};
    for (const char* service : {"A", "B", "C", "D"})
      names.methods.push_back({service, "M", "unary"});
    names.syncs_log = true;
    names.has_store = true;
    return new Metrics(names);
  }();
  return *metrics;
}

void BM_Count(benchmark::State& state) {
  for (auto _ : state) All().turns.at(1).Add();
}
BENCHMARK(BM_Count)->Threads(1)->Threads(2);

// The last bucket but a few, which takes longest to find.
void BM_Observe(benchmark::State& state) {
  const absl::Duration duration = absl::Seconds(20);
  for (auto _ : state) All().turn_bot.at().Observe(duration);
}
BENCHMARK(BM_Observe)->Threads(1)->Threads(2);

void BM_Scrape(benchmark::State& state) {
  size_t bytes = 0;
  for (auto _ : state) bytes = All().Text().size();
  state.counters["bytes"] = static_cast<double>(bytes);
  state.counters["series"] = static_cast<double>(All().series());
}
BENCHMARK(BM_Scrape)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace referee::metrics

BENCHMARK_MAIN();
