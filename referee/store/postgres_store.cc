#include "referee/store/postgres_store.h"

#include <chrono>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "referee/base/mutex.h"
#include "referee/postgres/errors.h"
#include "referee/store/errors.h"
#include "referee/store/postgres_apply.h"
#include "referee/store/postgres_schema.h"
#include "referee/store/schema.h"
#include "referee/store/sql_store.h"

namespace referee::store {
namespace {

// How often a transaction is tried when it conflicts with others.
constexpr int kConflictTries = 10;

// Forces every statement to find its rows by an index, even in small tables. Plans are made each
// time, since a cached plan for an empty table would be kept as the table fills.
constexpr char kPlannerSettings[] =
    "SET plan_cache_mode = force_custom_plan; SET enable_seqscan = off; SET enable_hashjoin = off; "
    "SET enable_mergejoin = off; SET jit = off";

// Idle connections, and the number in use. Thread-safe.
class ConnectionPool {
 public:
  ConnectionPool(std::string conninfo, PostgresOptions options)
      : conninfo_(std::move(conninfo)), options_(std::move(options)) {}

  const PostgresOptions& options() const { return options_; }

  absl::StatusOr<std::unique_ptr<postgres::Connection>> Take() {
    {
      MutexLock lock(&mutex_);
      const absl::Time limit = absl::Now() + options_.connection.lock_limit;
      while (idle_.empty() && taken_ >= options_.max_connections) {
        const absl::Duration left = limit - absl::Now();
        if (left <= absl::ZeroDuration()) {
          return absl::UnavailableError(
              absl::StrCat("the store's database: all ", options_.max_connections,
                           " connections are in use for too long; try again"));
        }
        given_back_.WaitFor(&mutex_, absl::ToChronoMilliseconds(left));
      }
      ++taken_;
      if (!idle_.empty()) {
        std::unique_ptr<postgres::Connection> db = std::move(idle_.back());
        idle_.pop_back();
        return db;
      }
    }
    absl::StatusOr<std::unique_ptr<postgres::Connection>> db = Connect();
    if (!db.ok()) GiveBack(nullptr);
    return db;
  }

  // Closes an unusable connection, and all idle ones, which are to the same server.
  void GiveBack(std::unique_ptr<postgres::Connection> db) {
    std::vector<std::unique_ptr<postgres::Connection>> useless;
    MutexLock lock(&mutex_);
    --taken_;
    if (db != nullptr && db->usable()) {
      idle_.push_back(std::move(db));
    } else {
      useless.swap(idle_);
    }
    given_back_.NotifyOne();
  }

 private:
  absl::StatusOr<std::unique_ptr<postgres::Connection>> Connect() {
    absl::StatusOr<std::unique_ptr<postgres::Connection>> db =
        postgres::Connection::Open(conninfo_, options_.connection);
    if (!db.ok()) return db;
    absl::Status set = UsePostgresSchema(db->get(), options_.schema);
    if (set.ok()) set = (*db)->RunScript(kPlannerSettings);
    if (!set.ok()) return set;
    return db;
  }

  const std::string conninfo_;
  const PostgresOptions options_;

  Mutex mutex_;
  CondVar given_back_;
  std::vector<std::unique_ptr<postgres::Connection>> idle_ ABSL_GUARDED_BY(mutex_);
  int taken_ ABSL_GUARDED_BY(mutex_) = 0;
};

class PostgresStore final : public SqlStore {
 public:
  PostgresStore(const std::string& conninfo, const PostgresOptions& options)
      : pool_(conninfo, options) {}

  absl::Status Check() {
    return WithConnection([this](postgres::Connection* db) {
      return CheckPostgresSchema(db, pool_.options().schema);
    });
  }

  absl::Status Apply(const Lease& lease, absl::Span<const Change> changes) override {
    if (changes.empty()) return absl::OkStatus();
    return UntilUncontended(
        [&](postgres::Connection* db) { return ApplyOnPostgres(db, GivenTime(), lease, changes); });
  }

 private:
  using Work = absl::FunctionRef<absl::Status(postgres::Connection*)>;

  absl::optional<absl::Time> GivenTime() const {
    if (pool_.options().clock == nullptr) return absl::nullopt;
    return pool_.options().clock->WallNow();
  }

  absl::StatusOr<absl::Time> Now(SqlDatabase* db) override {
    if (const absl::optional<absl::Time> given = GivenTime()) return *given;
    const absl::StatusOr<int64_t> micros = db->ReadInt(absl::StrCat("SELECT ", kPostgresNow));
    if (!micros.ok()) return micros.status();
    return absl::FromUnixMicros(*micros);
  }

  absl::Status InWrite(Writes writes, Body body) override {
    return UntilUncontended([&](postgres::Connection* db) -> absl::Status {
      postgres::Transaction transaction(db, postgres::Transaction::Kind::kWrite);
      absl::Status status = transaction.begun();
      if (status.ok() && writes == Writes::kRecords) status = TakePostgresTurn(db);
      SqlDatabase in(db, true);
      if (status.ok()) status = body(&in);
      return status.ok() ? transaction.Commit() : status;
    });
  }

  absl::Status InRead(bool repeatable, Body body) override {
    (void)repeatable;  // readers never conflict
    return WithConnection([&](postgres::Connection* db) {
      const postgres::Transaction transaction(db, postgres::Transaction::Kind::kRead);
      SqlDatabase in(db, false);
      return transaction.begun().ok() ? body(&in) : transaction.begun();
    });
  }

  absl::Status WithConnection(Work work) {
    absl::StatusOr<std::unique_ptr<postgres::Connection>> db = pool_.Take();
    if (!db.ok()) return db.status();
    absl::Status status = work(db->get());
    pool_.GiveBack(*std::move(db));
    return status;
  }

  absl::Status UntilUncontended(Work work) {
    for (int i = 0; i < kConflictTries; ++i) {
      const absl::Status status = WithConnection(work);
      if (!postgres::IsConflict(status)) return status;
    }
    return absl::UnavailableError(absl::StrCat(
        "the store's database", ": others change the same again and again; try again"));
  }

  ConnectionPool pool_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Store>> OpenPostgresStore(const std::string& conninfo,
                                                         const PostgresOptions& options) {
  auto store = std::make_unique<PostgresStore>(conninfo, options);
  const absl::Status checked = store->Check();
  if (!checked.ok()) return checked;
  return store;
}

absl::StatusOr<PostgresMigration> MigratePostgresStore(const std::string& conninfo,
                                                       const PostgresOptions& options) {
  const absl::StatusOr<std::unique_ptr<postgres::Connection>> db =
      postgres::Connection::Open(conninfo, options.connection);
  if (!db.ok()) return db.status();
  const absl::StatusOr<int64_t> before = MigratePostgresSchema(db->get(), options.schema);
  if (!before.ok()) return before.status();
  return PostgresMigration{(*db)->name(), *before, kStoreVersion};
}

}  // namespace referee::store
