// What an archive in packs costs: to put a replay, to open it, a page of its list, one replay. The
// replays are a few hundred real random matches of two seats, each put again and again under other
// ids in the pack's entry; the id inside the file is that of the first. So the index has rows of
// real sizes, and the packs real bytes, but a disk cache sees more of the same than it would.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "referee/replay/archive.h"
#include "referee/replay/archive_query.h"
#include "referee/replay/json.h"
#include "referee/replay/pack_shelf.h"
#include "tests/support/match_id.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

constexpr size_t kPlayed = 200;

struct Played {
  Replay replay;
  std::string file;
};

const std::vector<Played>& Matches() {
  static const auto* const matches = [] {
    auto* made = new std::vector<Played>();
    for (uint64_t seed = 1; seed <= kPlayed; ++seed) {
      SampleOptions options;
      options.seed = seed;
      options.committed = true;
      Replay replay = PlaySample(options);
      std::string file = Encode(replay, SampleSigner());
      made->push_back({std::move(replay), std::move(file)});
    }
    return made;
  }();
  return *matches;
}

MatchId IdOf(int64_t number) {
  return testing::NumberedId(0, testing::kMadeAt + number * absl::Seconds(1));
}

// An archive of so many replays, made once.
class Filled {
 public:
  explicit Filled(int64_t replays) : replays_(replays) {
    const auto shelf = PackShelf::Open({dir()}).value();
    for (int64_t i = 0; i < replays; ++i) {
      const Played& played = Matches()[static_cast<size_t>(i) % kPlayed];
      Replay replay = played.replay;
      replay.setup.id = IdOf(i);
      if (!shelf->Repack(Summarise(replay), played.file).ok()) std::abort();
      if (i % 10'000 == 9'999 && !shelf->WaitForIndex().ok()) std::abort();
    }
    if (!shelf->WaitForIndex().ok()) std::abort();
  }
  static const Filled& Of(int64_t replays) {
    static std::unique_ptr<Filled> filled;
    if (filled == nullptr || filled->replays_ != replays) {
      filled = nullptr;
      filled = std::make_unique<Filled>(replays);
    }
    return *filled;
  }
  const std::string& dir() const { return directory_.path(); }
  int64_t replays() const { return replays_; }

 private:
  const int64_t replays_;
  const testing::TempFolder directory_;
};

void Sizes(benchmark::internal::Benchmark* bench) {
  bench->ArgName("replays")->Arg(10'000)->Arg(1'000'000);
}

// What a referee does with its archive when it starts.
void BM_Open(benchmark::State& state) {
  const Filled& filled = Filled::Of(state.range(0));
  for (auto _ : state) {
    const auto shelf = PackShelf::Open({filled.dir()}).value();
    if (!shelf->Has(IdOf(0))) state.SkipWithError("it is not there");
  }
  uint64_t packs = 0;
  const std::vector<PackName> names = PacksIn(filled.dir()).value();
  for (const PackName name : names) {
    packs += std::filesystem::file_size(PackPath(filled.dir(), name));
  }
  const auto replays = static_cast<double>(filled.replays());
  state.counters["pack_bytes"] = static_cast<double>(packs) / replays;
  state.counters["index_bytes"] =
      static_cast<double>(std::filesystem::file_size(PackIndex::PathIn(filled.dir()))) / replays;
}
BENCHMARK(BM_Open)->Apply(Sizes)->UseRealTime()->Unit(benchmark::kMicrosecond);

// A page of 50 from anywhere.
void BM_Page(benchmark::State& state) {
  const Filled& filled = Filled::Of(state.range(0));
  const Archive archive(filled.dir());
  int64_t at = 1000;
  for (auto _ : state) {
    if (archive.List(50, IdOf(at).text())->replays.size() != 50) state.SkipWithError("no page");
    at = 1000 + (at * 48'271) % (filled.replays() - 1000);
  }
}
BENCHMARK(BM_Page)->Apply(Sizes)->UseRealTime()->Unit(benchmark::kMicrosecond);

// One replay, anywhere.
void BM_Get(benchmark::State& state) {
  const Filled& filled = Filled::Of(state.range(0));
  const Archive archive(filled.dir());
  int64_t at = 1;
  for (auto _ : state) {
    if (!archive.Read(IdOf(at)).ok()) state.SkipWithError("it is not there");
    at = (at * 48'271 + 11) % filled.replays();
  }
}
BENCHMARK(BM_Get)->Apply(Sizes)->UseRealTime()->Unit(benchmark::kMicrosecond);

// A bot's newest matches, and who made what against whom.
void BM_Find(benchmark::State& state) {
  const Filled& filled = Filled::Of(state.range(0));
  const auto index = PackIndex::OpenToRead(filled.dir()).value();
  ReplayFilter filter;
  filter.bot = Matches()[0].replay.setup.bots[0];
  for (auto _ : state) {
    if (FindReplays(index.get(), filter, 50)->size() != 50) state.SkipWithError("not found");
  }
}
BENCHMARK(BM_Find)->Apply(Sizes)->UseRealTime()->Unit(benchmark::kMicrosecond);

void BM_Stats(benchmark::State& state) {
  const Filled& filled = Filled::Of(state.range(0));
  const auto index = PackIndex::OpenToRead(filled.dir()).value();
  for (auto _ : state) {
    const auto counts = CountReplays(index.get(), {}, {CountBy::kBot, CountBy::kOpponent});
    if (!counts.ok() || counts->empty()) state.SkipWithError("not counted");
  }
}
BENCHMARK(BM_Stats)->Apply(Sizes)->UseRealTime()->Unit(benchmark::kMillisecond);

// What the end of a match waits for.
void BM_Put(benchmark::State& state) {
  const testing::TempFolder directory;
  const auto shelf = PackShelf::Open({directory.path()}).value();
  int64_t number = 0;
  for (auto _ : state) {
    const Played& played = Matches()[static_cast<size_t>(number) % kPlayed];
    state.PauseTiming();
    Replay replay = played.replay;
    replay.setup.id = IdOf(number++);
    state.ResumeTiming();
    if (!shelf->Put(Summarise(replay), played.file).ok()) state.SkipWithError("cannot write");
  }
}
BENCHMARK(BM_Put)->UseRealTime()->Unit(benchmark::kMicrosecond);

// The turns of a match as lines, from its file; items are turns.
void BM_TurnLines(benchmark::State& state) {
  int64_t turns = 0;
  size_t next = 0;
  for (auto _ : state) {
    std::string lines;
    const Replay replay = Parse(Matches()[next++ % kPlayed].file).value();
    if (!AppendTurnLines(replay, &lines).ok()) state.SkipWithError("cannot be played");
    turns += replay.turns();
  }
  state.SetItemsProcessed(turns);
}
BENCHMARK(BM_TurnLines);

}  // namespace
}  // namespace referee::replay

BENCHMARK_MAIN();
