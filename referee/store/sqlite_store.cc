#include "referee/store/sqlite_store.h"

#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/sqlite/sqlite.h"
#include "referee/store/schema.h"
#include "referee/store/sql_store.h"
#include "referee/store/sqlite_apply.h"

namespace referee::store {
namespace {

// How often, and after which pause, a read is repeated when another process opened or closed the
// store meanwhile.
constexpr int kReadTries = 20;
constexpr absl::Duration kReadPause = absl::Milliseconds(10);

// One connection writes. Concurrent readers have connections of their own, so long reads do not
// block writers.
class SqliteStore final : public SqlStore {
 public:
  // `writer` null: for reading only.
  SqliteStore(SqliteOptions options, std::string path, std::unique_ptr<Connection> writer)
      : options_(options),
        clock_(options.clock == nullptr ? machine_ : *options.clock),
        path_(std::move(path)),
        writer_(std::move(writer)) {}

  // Checks a store that is only read.
  absl::Status Check() {
    return ReadConnected(true, [](Connection* db) {
      const absl::Status version = CheckVersion(db);
      return version.ok() ? CheckSmallTables(db) : version;
    });
  }

  absl::Status Apply(const Lease& lease, absl::Span<const Change> changes) override {
    if (changes.empty()) return absl::OkStatus();
    return InWrite(Writes::kBlocks, [&](SqlDatabase* db) {
      absl::Status lasts = CheckLease(db, lease, clock_.WallNow());
      return lasts.ok() ? ApplyOnSqlite(db, lease, changes) : lasts;
    });
  }

 private:
  absl::StatusOr<absl::Time> Now(SqlDatabase*) override { return clock_.WallNow(); }

  absl::Status InWrite(Writes writes, Body body) override {
    if (writer_ == nullptr)
      return absl::PermissionDeniedError(absl::StrCat(path_, ": was opened to be read only"));
    MutexLock lock(&write_mutex_);
    const absl::Status set = SetSync(writes != Writes::kBlocks || options_.sync_blocks);
    if (!set.ok()) return set;
    Transaction transaction(writer_.get(), Transaction::Kind::kWrite);
    if (!transaction.begun().ok()) return transaction.begun();
    SqlDatabase db(writer_.get());
    const absl::Status done = body(&db);
    return done.ok() ? transaction.Commit() : done;
  }

  absl::Status InRead(bool repeatable, Body body) override {
    return ReadConnected(repeatable, [&](Connection* connection) {
      SqlDatabase db(connection);
      return body(&db);
    });
  }

  // Calls `body` on a snapshot of the database; repeats it if it was overtaken and is `repeatable`.
  absl::Status ReadConnected(bool repeatable, absl::FunctionRef<absl::Status(Connection*)> body) {
    absl::Status status = ReadOnce(body);
    if (writer_ != nullptr || !repeatable) return status;
    for (int i = 0; i < kReadTries && absl::IsUnavailable(status); ++i) {
      absl::SleepFor(kReadPause);
      status = ReadOnce(body);
    }
    return status;
  }

  absl::Status ReadOnce(absl::FunctionRef<absl::Status(Connection*)> body) {
    absl::StatusOr<Reader> reader = TakeReader();
    if (!reader.ok()) return reader.status();
    const auto read = [&]() -> absl::Status {
      Transaction transaction(reader->db(), Transaction::Kind::kRead);
      if (!transaction.begun().ok()) return transaction.begun();
      return body(reader->db());
    };
    const absl::Status status = read();
    if (reader->overtaken()) return sqlite::DatabaseBusy(path_);
    MutexLock lock(&readers_mutex_);
    readers_.push_back(*std::move(reader));
    return status;
  }

  absl::StatusOr<Reader> TakeReader() {
    {
      MutexLock lock(&readers_mutex_);
      if (!readers_.empty()) {
        Reader reader = std::move(readers_.back());
        readers_.pop_back();
        return reader;
      }
    }
    if (writer_ == nullptr) return OpenStoreReader(path_, options_.busy_limit);
    absl::StatusOr<std::unique_ptr<Connection>> db = ReopenStoreFile(path_, options_.busy_limit);
    if (!db.ok()) return db.status();
    return Reader(*std::move(db));
  }

  // Sets whether commits wait for the disk.
  absl::Status SetSync(bool sync) ABSL_EXCLUSIVE_LOCKS_REQUIRED(write_mutex_) {
    if (sync_ == sync) return absl::OkStatus();
    const absl::Status set =
        writer_->RunScript(sync ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    if (set.ok()) sync_ = sync;
    return set;
  }

  const SqliteOptions options_;
  const SystemClock machine_;
  const Clock& clock_;
  const std::string path_;

  Mutex write_mutex_;
  const std::unique_ptr<Connection> writer_ ABSL_PT_GUARDED_BY(write_mutex_);
  absl::optional<bool> sync_ ABSL_GUARDED_BY(write_mutex_);

  Mutex readers_mutex_;
  std::vector<Reader> readers_ ABSL_GUARDED_BY(readers_mutex_);  // idle
};

}  // namespace

absl::StatusOr<std::unique_ptr<Store>> OpenSqliteStore(const std::string& path,
                                                       const SqliteOptions& options) {
  absl::StatusOr<std::unique_ptr<Connection>> writer = OpenStoreFile(path, options.busy_limit);
  if (!writer.ok()) return writer.status();
  return std::make_unique<SqliteStore>(options, path, *std::move(writer));
}

absl::StatusOr<std::unique_ptr<Store>> OpenSqliteStoreToRead(const std::string& path) {
  auto store = std::make_unique<SqliteStore>(SqliteOptions(), path, nullptr);
  const absl::Status checked = store->Check();
  if (!checked.ok()) return checked;
  return store;
}

absl::Status CheckStoreVersion(const std::string& path) {
  absl::StatusOr<Reader> reader = OpenStoreReader(path, SqliteOptions().busy_limit);
  if (!reader.ok()) return absl::OkStatus();
  const absl::Status version = CheckVersion(reader->db());
  return absl::IsFailedPrecondition(version) && !reader->overtaken() ? version : absl::OkStatus();
}

}  // namespace referee::store
