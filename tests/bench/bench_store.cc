// How fast a store is that holds a long ladder. It is made in a folder that goes away:
//
//   bench_store [--bots 1000] [--blocks 1000000] [--batch 256] [--sync] [--keep DIR] [--postgres]
//
// With --keep the store stays in DIR, for a daemon with --data-dir DIR. With --postgres it is in a
// PostgreSQL server that goes away, which waits for no disk, on a Unix socket.
//
// Every line: what was done, how often, in how many seconds, how many a second.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "referee/store/postgres_store.h"
#include "referee/store/sqlite_store.h"
#include "tests/support/postgres_cluster.h"

namespace {

using namespace referee;         // NOLINT
using namespace referee::store;  // NOLINT

struct Plan {
  int bots = 1000;
  int64_t blocks = 1'000'000;
  int batch = 256;
  bool sync = false;
  std::string keep;  // a folder for the store; empty: it goes away
  bool postgres = false;
};

constexpr char kOwner[] = "daemon";

void Require(const absl::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "bench_store: %s\n", status.ToString().c_str());
  std::exit(1);
}

template <typename T>
T Require(absl::StatusOr<T> result) {
  Require(result.status());
  return *std::move(result);
}

void Measure(const char* what, const std::function<int64_t()>& work) {
  const absl::Time begin = absl::Now();
  const int64_t count = work();
  const double seconds = absl::ToDoubleSeconds(absl::Now() - begin);
  std::printf("%-44s %10lld in %8.3f s: %12.0f a second\n", what, static_cast<long long>(count),
              seconds, static_cast<double>(count) / seconds);
}

MatchId DrawId(std::mt19937* random) {
  uint8_t bytes[10];
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>((*random)());
  return MatchId::Make(absl::Now(), bytes);
}

Competition StartLadder(Store* store, const Plan& plan) {
  Competition ladder;
  std::mt19937 random(1);
  ladder.id = CompetitionId(DrawId(&random).text());
  ladder.create_time = absl::Now();
  ladder.spec.name = "ladder";
  ladder.spec.format = schedule::Format::kLadder;
  ladder.spec.game = "isaac";
  ladder.spec.options = {{"counter_advance", "UP_TO"},
                         {"first_player", "RANDOM"},
                         {"scoring_starter", "FIRST_PLAYER"}};
  ladder.spec.time_control = "500ms";
  ladder.spec.on_timeout = ladder.spec.on_illegal = "forfeit";
  ladder.spec.on_lost_link = "run";
  ladder.spec.lag_compensation = "none";
  for (int i = 0; i < plan.bots; ++i) ladder.spec.entrants.push_back(absl::StrCat("bot-", i));
  Require(store->CreateCompetition(ladder, absl::nullopt)).id.text();
  return Require(store->SetState(ladder.id, CompetitionState::kNew, CompetitionState::kRunning,
                                 absl::Now(), absl::nullopt));
}

// What a runner writes of a batch of blocks: they begin; their matches are named and played; they
// are counted. Returns how many.
class Season {
 public:
  Season(Store* store, Competition ladder, const Plan& plan)
      : store_(store), ladder_(std::move(ladder)), plan_(plan) {}

  int64_t PlayTo(int64_t blocks) {
    const int64_t first = next_;
    while (next_ < blocks) PlayBatch(std::min<int64_t>(plan_.batch, blocks - next_));
    return next_ - first;
  }

 private:
  void PlayBatch(int64_t count) {
    const Lease lease{kOwner, Require(store_->RenewLease(kOwner, absl::Minutes(1)))};
    Require(store_->TakeHomes(lease, {ladder_.id}));
    std::vector<Change> begun;
    std::vector<Change> over;
    CountBlocks counted{ladder_.id, ladder_.version, next_, next_ + count, {}, {}};
    std::vector<bool> touched(static_cast<size_t>(plan_.bots));
    for (int64_t i = 0; i < count; ++i, ++next_) {
      const int bots = plan_.bots;
      const int one = static_cast<int>(random_() % static_cast<unsigned>(bots));
      const int step = 1 + static_cast<int>(random_() % static_cast<unsigned>(bots - 1));
      const int other = (one + step) % bots;
      begun.push_back(BeginBlock{ladder_.id, ladder_.version, next_, {{one, other}}, absl::Now()});
      FinishBlock finish{ladder_.id, next_, 0, DrawId(&random_).text(), {}, absl::Now()};
      for (int k = 0; k < 2; ++k) {
        const bool won = random_() % 2 == 0;
        BlockMatch match{DrawId(&random_), {}};
        match.verdict.scores = {won ? 16 : 9, won ? 9 : 16};
        match.verdict.ranks = {won ? 1 : 2, won ? 2 : 1};
        finish.matches.push_back(std::move(match));
      }
      over.push_back(std::move(finish));
      counted.pairs.push_back({std::min(one, other), std::max(one, other), {0, 0, 1, 0, 0}, 0});
      for (const int bot : {one, other}) {
        if (touched[static_cast<size_t>(bot)]) continue;
        touched[static_cast<size_t>(bot)] = true;
        counted.entrants.push_back({bot, {}, ""});
        counted.entrants.back().tally.blocks = next_;
      }
    }
    over.push_back(std::move(counted));
    Require(store_->Apply(lease, begun));
    Require(store_->Apply(lease, over));
  }

  Store* const store_;
  const Competition ladder_;
  const Plan plan_;
  std::mt19937 random_{2};
  int64_t next_ = 0;
};

void MeasureReading(Store* store, const CompetitionId& id, const Plan& plan) {
  Measure("unfinished competitions",
          [&] { return static_cast<int64_t>(Require(store->ListUnfinished()).size()); });
  Measure("entrants read",
          [&] { return static_cast<int64_t>(Require(store->ReadEntrants(id)).size()); });
  Measure("open blocks read",
          [&] { return static_cast<int64_t>(Require(store->ListOpenBlocks(id)).size()); });
  Measure("pair totals read",
          [&] { return static_cast<int64_t>(Require(store->ReadPairTotals(id)).size()); });
  Measure("outcomes streamed", [&] {
    int64_t count = 0;
    Require(
        store->ReadOutcomes(id, 0, plan.blocks, [&](int64_t, const rating::BlockOutcome& outcome) {
          count += outcome.ranks.empty() ? 0 : 1;
          return true;
        }));
    return count;
  });
  Measure("page of 1000 blocks", [&] {
    const auto page = store->ListBlocks(id, plan.blocks / 2, 1000, absl::nullopt);
    return static_cast<int64_t>(Require(page).size());
  });
  Measure("page of 1000 blocks of one bot",
          [&] { return static_cast<int64_t>(Require(store->ListBlocks(id, 0, 1000, 7)).size()); });
}

// Plays the ladder, and returns its id.
CompetitionId Play(Store* store, const Plan& plan) {
  const Competition ladder = StartLadder(store, plan);
  Season season(store, ladder, plan);
  Measure("blocks begun, finished and counted, empty",
          [&] { return season.PlayTo(std::min<int64_t>(20'000, plan.blocks)); });
  Measure("blocks begun, finished and counted, to full",
          [&] { return season.PlayTo(plan.blocks); });
  return ladder.id;
}

void RunOnPostgres(const Plan& plan) {
  const auto cluster = Require(testing::PostgresCluster::Start());
  PostgresOptions options;
  Require(MigratePostgresStore(cluster->conninfo(), options));
  CompetitionId id = Play(Require(OpenPostgresStore(cluster->conninfo(), options)).get(), plan);
  std::unique_ptr<Store> store;
  Measure("opened", [&] {
    store = Require(OpenPostgresStore(cluster->conninfo(), options));
    return int64_t{1};
  });
  MeasureReading(store.get(), id, plan);
}

void Run(const Plan& plan, const std::string& folder) {
  const std::string path = folder + "/store.db";
  SqliteOptions options;
  options.sync_blocks = plan.sync;
  const CompetitionId id = Play(Require(OpenSqliteStore(path, options)).get(), plan);
  std::printf("%-44s %10.1f MB\n", "file",
              static_cast<double>(std::filesystem::file_size(path)) / 1e6);
  std::unique_ptr<Store> store;
  Measure("opened", [&] {
    store = Require(OpenSqliteStore(path, options));
    return int64_t{1};
  });
  MeasureReading(store.get(), id, plan);
}

}  // namespace

int main(int argc, char** argv) {
  Plan plan;
  CLI::App app{"Measures a store that holds a long ladder."};
  app.add_option("--bots", plan.bots, "entrants of the ladder")->check(CLI::Range(2, 10'000));
  app.add_option("--blocks", plan.blocks, "its blocks")->check(CLI::Range(1, 100'000'000));
  app.add_option("--batch", plan.batch, "blocks a transaction")->check(CLI::Range(1, 100'000));
  app.add_flag(
      "--sync", plan.sync,
      "wait for the disk with every transaction (not with --postgres, whose server decides)");
  app.add_option("--keep", plan.keep, "a folder in which the store is to stay");
  app.add_flag("--postgres", plan.postgres, "in a PostgreSQL server of its own")
      ->excludes("--keep");
  CLI11_PARSE(app, argc, argv);

  if (plan.postgres) {
    RunOnPostgres(plan);
    return 0;
  }
  if (!plan.keep.empty()) {
    std::filesystem::create_directories(plan.keep);
    Run(plan, plan.keep);
    return 0;
  }

  std::string folder = (std::filesystem::temp_directory_path() / "bench_store.XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    std::perror(folder.c_str());
    return 1;
  }
  Run(plan, folder);
  std::filesystem::remove_all(folder);
  return 0;
}
