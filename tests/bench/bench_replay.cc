// What a replay costs: to verify, to write, to read; what a turn costs in the log.
#include <benchmark/benchmark.h>
#include <stdlib.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/synchronization/notification.h"
#include "referee/replay/archive.h"
#include "referee/replay/file_recorder.h"
#include "referee/replay/record_codec.h"
#include "referee/replay/transcript.h"
#include "referee/replay/verifier.h"
#include "tests/support/match_id.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

// Whole random matches of two seats, as files.
const std::vector<std::string>& Files() {
  static const auto* const files = [] {
    auto* made = new std::vector<std::string>();
    for (uint64_t seed = 1; seed <= 200; ++seed) {
      SampleOptions options;
      options.seed = seed;
      options.committed = true;
      made->push_back(Encode(PlaySample(options), SampleSigner()));
    }
    return made;
  }();
  return *files;
}

void BM_Verify(benchmark::State& state) {
  const std::vector<std::string>& files = Files();
  size_t next = static_cast<size_t>(state.thread_index());
  for (auto _ : state) {
    const Verification found = Verify(files[next++ % files.size()]);
    if (!found.ok) state.SkipWithError(found.problem.c_str());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_Verify)->Threads(1)->Threads(2)->UseRealTime();

void BM_VerifyRecordsOnly(benchmark::State& state) {
  const Replay replay = Parse(Files().front()).value();
  for (auto _ : state) benchmark::DoNotOptimize(VerifyMatch(replay));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_VerifyRecordsOnly);

void BM_VerifySignature(benchmark::State& state) {
  const Parts parts = Split(Files().front()).value();
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        VerifySignature(parts.signed_bytes, parts.signature, parts.public_key));
  }
}
BENCHMARK(BM_VerifySignature);

void BM_Parse(benchmark::State& state) {
  const std::vector<std::string>& files = Files();
  size_t next = 0;
  for (auto _ : state) benchmark::DoNotOptimize(Parse(files[next++ % files.size()]));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_Parse);

void BM_Transcript(benchmark::State& state) {
  const Replay replay = Parse(Files().front()).value();
  for (auto _ : state) benchmark::DoNotOptimize(Transcript(replay));
}
BENCHMARK(BM_Transcript);

const match::Record& TurnOf(const Replay& replay) {
  for (const match::Record& record : replay.records) {
    if (std::holds_alternative<match::Played>(record)) return record;
  }
  std::abort();
}

Durability DurabilityOf(int64_t number) {
  return number == 0 ? Durability::kNone : number == 1 ? Durability::kMatch : Durability::kTurn;
}

void WaitUntilLasting(Recording* recording) {
  if (recording->Lasts()) return;
  absl::Notification lasts;
  recording->WhenLasting([&](const absl::Status&) { lasts.Notify(); });
  lasts.WaitForNotification();
}

// One turn, added and flushed, and waited for as durability has it: what a match costs the disk
// between a reply and the next request. Every match has a thousand turns.
void BM_LogTurn(benchmark::State& state) {
  constexpr int kTurns = 1000;
  const testing::TempFolder directory;
  const auto recorder =
      FileRecorder::Make({directory.path(), DurabilityOf(state.range(0))}, SampleSigner()).value();
  const Replay replay = PlaySample({});
  const match::Record& turn = TurnOf(replay);
  std::unique_ptr<Recording> recording;
  int turns = 0;
  for (auto _ : state) {
    if (turns++ % kTurns == 0) {
      state.PauseTiming();
      if (recording != nullptr) recording->SetAside("").IgnoreError();
      recording = recorder->Open(replay.setup, SampleSeed({})).value();
      state.ResumeTiming();
    }
    recording->Add(turn);
    if (!recording->Flush().ok()) state.SkipWithError("cannot write");
    WaitUntilLasting(recording.get());
  }
  state.SetLabel(std::string(DurabilityName(DurabilityOf(state.range(0)))));
}
BENCHMARK(BM_LogTurn)->ArgName("durability")->DenseRange(0, 2)->UseRealTime();

// The same without the write.
void BM_EncodeTurn(benchmark::State& state) {
  const Replay replay = PlaySample({});
  const match::Record& turn = TurnOf(replay);
  RecordEncoder encoder;
  std::string bytes;
  for (auto _ : state) {
    bytes.clear();
    encoder.AppendRecord(*replay.setup.game, turn, &bytes);
    benchmark::DoNotOptimize(bytes);
  }
}
BENCHMARK(BM_EncodeTurn);

// A whole match: open, a flush a record, seal. Each match has an id of its own, as in a
// referee.
void BM_Match(benchmark::State& state) {
  const testing::TempFolder directory;
  const auto recorder =
      FileRecorder::Make({directory.path(), DurabilityOf(state.range(0))}, SampleSigner()).value();
  Replay replay = PlaySample({});
  uint64_t number = 0;
  for (auto _ : state) {
    replay.setup.id = testing::NumberedId(++number, replay.setup.create_time);
    auto recording = recorder->Open(replay.setup, SampleSeed({})).value();
    for (const match::Record& record : replay.records) {
      recording->Add(record);
      if (!recording->Flush().ok()) state.SkipWithError("cannot write");
      WaitUntilLasting(recording.get());
    }
    if (!recording->Seal().ok()) state.SkipWithError("cannot write");
  }
  state.SetLabel(std::string(DurabilityName(DurabilityOf(state.range(0)))));
}
BENCHMARK(BM_Match)->ArgName("durability")->DenseRange(0, 2)->UseRealTime();

// A page of the newest of so many replays in folders of days. Pages look at where the files are,
// not into them.
void BM_ListPage(benchmark::State& state) {
  const testing::TempFolder directory;
  const Archive archive(directory.path());
  for (int64_t i = 0; i < state.range(0); ++i) {
    const MatchId id = testing::NumberedId(0, testing::kMadeAt + i * absl::Seconds(1));
    const std::filesystem::path path = archive.PathOf(id);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream{path};
  }
  for (auto _ : state) {
    if (archive.List(50, "")->replays.size() != 50) state.SkipWithError("a page of another size");
  }
}
BENCHMARK(BM_ListPage)->ArgName("replays")->Arg(100)->Arg(10'000)->Arg(1'000'000);

}  // namespace
}  // namespace referee::replay

BENCHMARK_MAIN();
