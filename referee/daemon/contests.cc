#include "referee/daemon/contests.h"

#include <sodium.h>

#include <utility>

#include "referee/replay/journal.h"
#include "referee/store/sqlite_store.h"

namespace referee::daemon {
namespace {

host::CompetitionsOptions With(host::CompetitionsOptions options, store::Store* store,
                               host::Worker* worker) {
  options.store = store;
  options.worker = worker;
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
  host::CompetitionsOptions options;
  options.clock = clock;
  options.timers = timers;
  options.entropy = [](absl::Span<uint8_t> bytes) { randombytes_buf(bytes.data(), bytes.size()); };
  options.owner = owner;
  options.find_replay = host::ReadsArchive(flags.data_dir);
  options.log = log;
  return std::unique_ptr<Contests>(new Contests(*std::move(store), std::move(options)));
}

Contests::Contests(std::unique_ptr<store::Store> store, host::CompetitionsOptions options)
    : store_(std::move(store)), competitions_(With(std::move(options), store_.get(), &worker_)) {}

}  // namespace referee::daemon
