// How much memory a running match takes in the referee: matches that wait for a move, with their
// log, without what links need.
//
//   bench_memory [--matches 2000]
//
// A line a game.

#include <malloc.h>
#include <sodium.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/dice/dice.h"
#include "referee/games/catalogue.h"
#include "referee/host/host.h"
#include "referee/host/timers.h"
#include "referee/replay/file_recorder.h"
#include "referee/replay/key_files.h"
#include "tests/support/fake_link.h"

namespace referee::bench {
namespace {

constexpr int kBotMatches = 1000;  // at once, of one bot

template <typename T>
T Require(absl::StatusOr<T> result) {
  if (result.ok()) return *std::move(result);
  std::fprintf(stderr, "bench_memory: %s\n", result.status().ToString().c_str());
  std::exit(1);
}

// Hears that it is asked, and says nothing.
class SilentLink final : public testing::FakeLink {
 public:
  explicit SilentLink(const Clock* clock) : clock_(*clock) {}
  int asked() const { return asked_.load(); }

  void AskTurn(const std::shared_ptr<host::MatchRunner>& runner, const match::Match& match,
               Seat seat) override {
    runner->RequestSent(seat, match.turn(), match.request(), clock_.Now());
    asked_.fetch_add(1);
  }
  void Flush() override {}

 private:
  const Clock& clock_;
  std::atomic<int> asked_{0};
};

constexpr char kNonce[] = "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn";

// In bytes, with what the allocator adds.
double AllocatedNow() {
  const struct mallinfo2 heap = mallinfo2();
  return static_cast<double>(heap.uordblks + heap.hblkhd);
}

// A host with pairs of bots, as many as the matches need.
class HostFixture {
 public:
  HostFixture(int matches, const std::string& data_dir)
      : recorder_(Require(replay::FileRecorder::Make(
            {data_dir}, Require(replay::LoadOrMakeKeys(data_dir, absl::Now())).signer))),
        host_(Options(matches)) {
    for (int i = 0; i < 2 * ((matches + kBotMatches - 1) / kBotMatches); ++i) {
      host::Hello hello;
      hello.max_matches = kBotMatches;
      links_.push_back(std::make_shared<SilentLink>(&clock_));
      bots_.push_back(Require(host_.Attach(absl::StrCat("bot-", i), links_.back(), hello)));
    }
  }
  ~HostFixture() {
    host_.Drain(absl::ZeroDuration(), host::Host::Rest::kVoid);
    for (size_t i = 0; i < bots_.size(); ++i) host_.Detach(bots_[i], links_[i].get());
  }

  // Starts match `index`; its first turn is asked when this returns.
  void Start(const std::shared_ptr<const games::Game>& game, int index) {
    const size_t pair = 2 * static_cast<size_t>(index / kBotMatches);
    host::MatchRequest request;
    request.game = game;
    request.bots = {bots_[pair]->name(), bots_[pair + 1]->name()};
    request.time_control.per_move = absl::Hours(1);
    const MatchId id = Require(host_.Create(request, ""));
    for (const size_t bot : {pair, pair + 1}) {
      const host::Bot::Slot slot = bots_[bot]->FindSlot(id.text());
      slot.runner->Post(match::ReadyReceived{slot.seat, dice::HashNonce(kNonce)}, clock_.Now());
    }
    for (const size_t bot : {pair, pair + 1}) {
      const host::Bot::Slot slot = bots_[bot]->FindSlot(id.text());
      slot.runner->Post(match::NonceReceived{slot.seat, kNonce}, clock_.Now());
    }
  }
  int asked() const {
    int asked = 0;
    for (const auto& link : links_) asked += link->asked();
    return asked;
  }

 private:
  host::HostOptions Options(int matches) {
    host::HostOptions options;
    options.clock = &clock_;
    options.timers = &timers_;
    options.executor = &executor_;
    options.recorder = recorder_.get();
    options.entropy = [](absl::Span<uint8_t> bytes) {
      randombytes_buf(bytes.data(), bytes.size());
    };
    options.software = "bench_memory";
    options.max_running = matches;
    return options;
  }

  const SystemClock clock_;
  host::ThreadTimers timers_{&clock_};
  host::ThreadExecutor executor_;
  const std::unique_ptr<replay::FileRecorder> recorder_;
  host::Host host_;
  std::vector<std::shared_ptr<SilentLink>> links_;
  std::vector<std::shared_ptr<host::Bot>> bots_;
};

void Measure(const games::Entry& entry, int matches, const std::string& data_dir) {
  const std::shared_ptr<const games::Game> game =
      Require(entry.type->Create(entry.type->min_seats(), {}));
  // What is made once, for the first matches, is not counted.
  const int before = std::min(100, matches);
  HostFixture hall(before + matches, data_dir);
  for (int i = 0; i < before; ++i) hall.Start(game, i);
  const double start = AllocatedNow();
  for (int i = before; i < before + matches; ++i) hall.Start(game, i);
  const double allocated = AllocatedNow() - start;
  if (hall.asked() != before + matches) {
    std::fprintf(stderr, "bench_memory: %d matches wait for a move\n", hall.asked());
    std::exit(1);
  }
  std::printf("%-10s %d running matches: %5.1f KiB each\n", std::string(entry.type->name()).c_str(),
              matches, allocated / 1024.0 / matches);
}

void MeasureAll(int matches) {
  for (const games::Entry& entry : games::Catalogue()) {
    std::string folder = (std::filesystem::temp_directory_path() / "bench_memory.XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) {
      std::perror(folder.c_str());
      std::exit(1);
    }
    Measure(entry, matches, folder);
    std::filesystem::remove_all(folder);
  }
}

}  // namespace
}  // namespace referee::bench

int main(int argc, char** argv) {
  int matches = 2000;
  CLI::App app{"Measures the memory of running matches."};
  app.add_option("--matches", matches, "how many")->check(CLI::Range(1, 8'000));
  CLI11_PARSE(app, argc, argv);
  if (sodium_init() < 0) return 1;
  referee::bench::MeasureAll(matches);
  return 0;
}
