#include "referee/daemon/contests.h"

#include <sodium.h>

#include <utility>

#include "referee/replay/journal.h"
#include "referee/store/sqlite_store.h"

namespace referee::daemon {
namespace {

competition::CompetitionsOptions With(competition::CompetitionsOptions options, store::Store* store,
                                      host::Executor* executor) {
  options.store = store;
  options.executor = executor;
  return options;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Contests>> Contests::Make(const Flags& flags,
                                                         const std::string& owner,
                                                         const Clock* clock, host::Timers* timers,
                                                         void (*log)(absl::string_view line)) {
  store::SqliteOptions store_options;
  store_options.sync_blocks = flags.durability != replay::Durability::kNone;
  absl::StatusOr<std::unique_ptr<store::Store>> store =
      store::OpenSqliteStore(flags.data_dir + "/store.db", store_options);
  if (!store.ok()) return store.status();
  competition::CompetitionsOptions options;
  options.clock = clock;
  options.timers = timers;
  options.entropy = [](absl::Span<uint8_t> bytes) { randombytes_buf(bytes.data(), bytes.size()); };
  options.owner = owner;
  options.find_replay = competition::ReadsArchive(flags.data_dir);
  options.log = log;
  return std::unique_ptr<Contests>(new Contests(*std::move(store), std::move(options)));
}

Contests::Contests(std::unique_ptr<store::Store> store, competition::CompetitionsOptions options)
    : store_(std::move(store)), competitions_(With(std::move(options), store_.get(), &executor_)) {}

}  // namespace referee::daemon
