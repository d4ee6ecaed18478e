// What a standings table costs: taking in a million blocks of a thousand bots, and the fit with
// its error bars.

#include <cstdint>
#include <random>
#include <vector>

#include "benchmark/benchmark.h"
#include "referee/rating/evidence.h"
#include "referee/rating/fit.h"

namespace referee::rating {
namespace {

constexpr int kBots = 1'000;
constexpr int kBlocks = 1'000'000;

// Blocks of any two bots, of which the lower number tends to be the stronger.
std::vector<BlockOutcome> Blocks() {
  std::mt19937_64 engine(1);
  std::vector<BlockOutcome> blocks;
  blocks.reserve(kBlocks);
  for (int i = 0; i < kBlocks; ++i) {
    const int first = static_cast<int>(engine() % kBots);
    const int second =
        static_cast<int>((static_cast<uint64_t>(first) + 1 + engine() % (kBots - 1)) % kBots);
    BlockOutcome block;
    block.pairing.bots = {first, second};
    for (int match = 0; match < 2; ++match) {
      const bool won = static_cast<int>(engine() % (2 * kBots)) >= kBots + (first - second) / 2;
      block.ranks.push_back(won ? std::vector<int>{1, 2} : std::vector<int>{2, 1});
    }
    blocks.push_back(block);
  }
  return blocks;
}

Evidence Taken(const std::vector<BlockOutcome>& blocks) {
  Evidence evidence;
  for (const BlockOutcome& block : blocks) evidence.Add(block);
  return evidence;
}

void TakeInAMillionBlocks(benchmark::State& state) {
  const std::vector<BlockOutcome> blocks = Blocks();
  for (auto _ : state) {
    const Evidence evidence = Taken(blocks);
    benchmark::DoNotOptimize(evidence.pairs().data());
  }
  state.SetItemsProcessed(state.iterations() * kBlocks);
}
BENCHMARK(TakeInAMillionBlocks)->Unit(benchmark::kMillisecond);

void FitAMillionBlocksOfAThousandBots(benchmark::State& state) {
  const Evidence evidence = Taken(Blocks());
  for (auto _ : state) {
    const std::vector<Strength> strengths = Fit(evidence);
    benchmark::DoNotOptimize(strengths.data());
  }
  state.counters["pairs"] = static_cast<double>(evidence.pairs().size());
}
BENCHMARK(FitAMillionBlocksOfAThousandBots)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace referee::rating

BENCHMARK_MAIN();
