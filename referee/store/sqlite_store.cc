#include "referee/store/sqlite_store.h"

#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "referee/base/errors.h"
#include "referee/base/mutex.h"
#include "referee/store/account_table.h"
#include "referee/store/block_table.h"
#include "referee/store/competition_table.h"
#include "referee/store/database.h"
#include "referee/store/entrant_table.h"
#include "referee/store/errors.h"
#include "referee/store/schema.h"

namespace referee::store {
namespace {

// How often and how long after each other a store that is only read is read again that somebody was
// just opening or closing.
constexpr int kReadTries = 20;
constexpr absl::Duration kReadPause = absl::Milliseconds(10);

const absl::Status& StatusOf(const absl::Status& status) { return status; }
template <typename T>
const absl::Status& StatusOf(const absl::StatusOr<T>& result) {
  return result.status();
}

// One connection writes; readers have connections of their own, as many as read at once, so that
// nobody who reads much holds up who writes.
class SqliteStore final : public Store {
 public:
  // Without a `writer` it is only read.
  SqliteStore(SqliteOptions options, std::string path, std::unique_ptr<Connection> writer)
      : options_(options), path_(std::move(path)), writer_(std::move(writer)) {}

  absl::Status SetUp() {
    MutexLock lock(&write_mutex_);
    if (options_.max_bytes > 0) {
      const absl::StatusOr<int64_t> page = writer_->ReadInt("PRAGMA page_size");
      if (!page.ok()) return page.status();
      const int64_t pages = options_.max_bytes / *page;
      const absl::Status set = writer_->RunScript(absl::StrCat("PRAGMA max_page_count = ", pages));
      if (!set.ok()) return set;
    }
    return SetSync(true);
  }

  // Of one that is only read.
  absl::Status Check() {
    return Read([](Connection* db) { return CheckReadStore(db, Migrations()); });
  }

  // --- Accounts ---

  absl::Status AddAccount(const Account& account, const AuditEntry& audit) override {
    return Audited(audit, [&](Connection* db) { return account_table::Add(db, account); });
  }
  absl::StatusOr<Account> GetAccount(absl::string_view name) override {
    return Read([&](Connection* db) { return account_table::Get(db, name); });
  }
  absl::StatusOr<Account> FindToken(const dice::Bytes32& token_hash) override {
    return Read([&](Connection* db) { return account_table::FindToken(db, token_hash); });
  }
  absl::StatusOr<std::vector<Account>> ListAccounts(absl::string_view after, int limit) override {
    return Read([&](Connection* db) { return account_table::List(db, after, limit); });
  }
  absl::Status SetToken(absl::string_view name, const dice::Bytes32& token_hash,
                        absl::Time token_time, const AuditEntry& audit) override {
    return Audited(audit, [&](Connection* db) {
      return account_table::SetToken(db, name, token_hash, token_time);
    });
  }
  absl::Status SetDisabled(absl::string_view name, absl::string_view reason,
                           const AuditEntry& audit) override {
    return Audited(audit,
                   [&](Connection* db) { return account_table::SetDisabled(db, name, reason); });
  }
  absl::Status SetVersion(absl::string_view name, absl::string_view version, absl::Time time,
                          VersionSource source, const AuditEntry& audit) override {
    if (source == VersionSource::kBot) {
      const absl::StatusOr<Account> account = GetAccount(name);
      if (account.ok() && account->version_kept) return absl::OkStatus();
    }
    return Audited(audit, [&](Connection* db) -> absl::Status {
      const absl::StatusOr<bool> changed =
          account_table::SetVersion(db, name, version, time, source);
      if (!changed.ok() || !*changed) return changed.status();
      return entrant_table::SetVersion(db, name, version, source);
    });
  }
  absl::Status ReleaseVersion(absl::string_view name, const AuditEntry& audit) override {
    return Audited(audit, [&](Connection* db) { return account_table::ReleaseVersion(db, name); });
  }
  absl::Status RemoveAccount(absl::string_view name, const AuditEntry& audit) override {
    return Audited(audit, [&](Connection* db) { return account_table::Remove(db, name); });
  }
  absl::Status SetBan(const Ban& ban, const AuditEntry& audit) override {
    return Audited(audit, [&](Connection* db) { return account_table::SetBan(db, ban); });
  }
  absl::Status RemoveBan(Ban::Kind kind, absl::string_view subject,
                         const AuditEntry& audit) override {
    return Audited(audit,
                   [&](Connection* db) { return account_table::RemoveBan(db, kind, subject); });
  }
  absl::StatusOr<std::vector<Ban>> ListBans() override {
    return Read([](Connection* db) { return account_table::ListBans(db); });
  }
  absl::Status AppendAudit(const AuditEntry& audit) override {
    return Audited(audit, [](Connection*) { return absl::OkStatus(); });
  }
  absl::StatusOr<std::vector<AuditEntry>> ListAudit(int64_t before, int limit) override {
    return Read([&](Connection* db) { return account_table::ListAudit(db, before, limit); });
  }

  // --- Competitions ---

  absl::StatusOr<Competition> CreateCompetition(const Competition& competition,
                                                const absl::optional<AuditEntry>& audit) override {
    return Audited(audit,
                   [&](Connection* db) { return competition_table::Create(db, competition); });
  }
  absl::StatusOr<Competition> GetCompetition(const CompetitionId& id) override {
    return Read([&](Connection* db) { return competition_table::Get(db, id); });
  }
  absl::StatusOr<Competition> FindCompetition(absl::string_view name) override {
    return Read([&](Connection* db) { return competition_table::Find(db, name); });
  }
  absl::StatusOr<std::vector<Competition>> ListCompetitions(const CompetitionId& before,
                                                            int limit) override {
    return Read([&](Connection* db) { return competition_table::List(db, before, limit); });
  }
  absl::StatusOr<std::vector<Competition>> ListUnfinished() override {
    return Read([&](Connection* db) { return competition_table::ListUnfinished(db); });
  }
  absl::StatusOr<Competition> SetState(const CompetitionId& id, CompetitionState from,
                                       CompetitionState to, absl::Time time,
                                       const absl::optional<AuditEntry>& audit) override {
    return Audited(
        audit, [&](Connection* db) { return competition_table::SetState(db, id, from, to, time); });
  }
  absl::StatusOr<Competition> SetPriority(const CompetitionId& id, int priority,
                                          const absl::optional<AuditEntry>& audit) override {
    return Audited(
        audit, [&](Connection* db) { return competition_table::SetPriority(db, id, priority); });
  }
  absl::StatusOr<Competition> RenameCompetition(const CompetitionId& id, absl::string_view name,
                                                const absl::optional<AuditEntry>& audit) override {
    return Audited(audit, [&](Connection* db) { return competition_table::Rename(db, id, name); });
  }
  absl::Status RemoveCompetition(const CompetitionId& id,
                                 const absl::optional<AuditEntry>& audit) override {
    return Audited(audit, [&](Connection* db) { return competition_table::Remove(db, id); });
  }
  absl::StatusOr<std::vector<std::string>> ReadPositions(const CompetitionId& id) override {
    return Read([&](Connection* db) { return competition_table::ReadPositions(db, id); });
  }
  absl::StatusOr<std::vector<Entrant>> ReadEntrants(const CompetitionId& id) override {
    return Read([&](Connection* db) { return entrant_table::Read(db, id); });
  }
  absl::StatusOr<std::vector<Entry>> ListEntries(absl::string_view name, int limit) override {
    return Read([&](Connection* db) { return entrant_table::ListEntries(db, name, limit); });
  }
  absl::StatusOr<Entrant> Join(const CompetitionId& id, absl::string_view name,
                               const absl::optional<AuditEntry>& audit) override {
    return Audited(audit, [&](Connection* db) { return entrant_table::Join(db, id, name); });
  }
  absl::StatusOr<Entrant> TakeOut(const CompetitionId& id, absl::string_view name, Presence out,
                                  absl::string_view reason,
                                  const absl::optional<AuditEntry>& audit) override {
    return Audited(
        audit, [&](Connection* db) { return entrant_table::TakeOut(db, id, name, out, reason); });
  }

  absl::StatusOr<Competition> BeginSeason(const CompetitionId& id, absl::string_view request_id,
                                          absl::Time time,
                                          const absl::optional<AuditEntry>& audit) override {
    return Audited(audit, [&](Connection* db) {
      return entrant_table::BeginSeason(db, id, request_id, time);
    });
  }

  // --- Blocks ---

  absl::Status Apply(absl::Span<const Change> changes) override {
    if (changes.empty()) return absl::OkStatus();
    return Write(options_.sync_blocks, [&](Connection* db) {
      block_table::Changes made(db);
      for (size_t i = 0; i < changes.size(); ++i) {
        const absl::Status one = made.Make(changes[i]);
        if (!one.ok()) return At(absl::StrCat("change ", i + 1, " of ", changes.size()), one);
      }
      return made.Finish();
    });
  }
  absl::Status RenewLease(absl::string_view owner, absl::Time until) override {
    return Write(options_.sync_blocks,
                 [&](Connection* db) { return block_table::RenewLease(db, owner, until); });
  }
  absl::StatusOr<std::vector<Block>> ClaimExpired(absl::string_view owner,
                                                  absl::Time now) override {
    return Write(true, [&](Connection* db) { return block_table::ClaimExpired(db, owner, now); });
  }
  absl::StatusOr<std::vector<Block>> ListOpenBlocks(const CompetitionId& id) override {
    return Read([&](Connection* db) { return block_table::ListOpen(db, id); });
  }
  absl::StatusOr<Block> GetBlock(const CompetitionId& id, int64_t number) override {
    return Read([&](Connection* db) { return block_table::Get(db, id, number); });
  }
  absl::StatusOr<std::vector<Block>> ListBlocks(const CompetitionId& id, int64_t from, int limit,
                                                absl::optional<int> entrant) override {
    return Read([&](Connection* db) { return block_table::List(db, id, from, limit, entrant); });
  }
  absl::StatusOr<std::vector<PairTotal>> ReadPairTotals(const CompetitionId& id) override {
    return Read([&](Connection* db) { return block_table::ReadPairTotals(db, id); });
  }
  absl::StatusOr<std::vector<PairTotal>> ListPairTotals(const CompetitionId& id,
                                                        std::pair<int, int> from, int limit,
                                                        absl::optional<int> entrant) override {
    return Read(
        [&](Connection* db) { return block_table::ListPairTotals(db, id, from, limit, entrant); });
  }
  absl::Status ReadOutcomes(
      const CompetitionId& id, int64_t from, int64_t to,
      absl::FunctionRef<bool(int64_t number, const rating::BlockOutcome& outcome)> take) override {
    // Once: what was taken cannot be given back.
    return ReadOnce(
        [&](Connection* db) { return block_table::ReadOutcomes(db, id, from, to, take); });
  }

 private:
  // Calls body(Connection*), which returns a Status or a StatusOr, in a transaction that is
  // committed if it returns OK.
  template <typename Body>
  auto Write(bool sync, Body body) -> decltype(body(nullptr)) {
    if (writer_ == nullptr) return StoreOnlyRead(path_);
    MutexLock lock(&write_mutex_);
    const absl::Status set = SetSync(sync);
    if (!set.ok()) return set;
    Transaction transaction(writer_.get(), Transaction::Kind::kWrite);
    if (!transaction.begun().ok()) return transaction.begun();
    auto result = body(writer_.get());
    if (!StatusOf(result).ok()) return result;
    const absl::Status committed = transaction.Commit();
    if (!committed.ok()) return committed;
    return result;
  }

  // The same, with an entry of the audit log.
  template <typename Body>
  auto Audited(const absl::optional<AuditEntry>& audit, Body body) -> decltype(body(nullptr)) {
    return Write(true, [&](Connection* db) -> decltype(body(nullptr)) {
      auto result = body(db);
      if (!StatusOf(result).ok() || !audit.has_value()) return result;
      const absl::Status logged = account_table::AppendAudit(db, *audit);
      if (!logged.ok()) return logged;
      return result;
    });
  }

  // Calls body(Connection*) as of one moment of the database; again if it was overtaken.
  template <typename Body>
  auto Read(Body body) -> decltype(body(nullptr)) {
    auto result = ReadOnce(body);
    if (writer_ != nullptr) return result;
    for (int i = 0; i < kReadTries && absl::IsUnavailable(StatusOf(result)); ++i) {
      absl::SleepFor(kReadPause);
      result = ReadOnce(body);
    }
    return result;
  }

  template <typename Body>
  auto ReadOnce(Body body) -> decltype(body(nullptr)) {
    absl::StatusOr<Reader> reader = TakeReader();
    if (!reader.ok()) return reader.status();
    const auto read = [&]() -> decltype(body(nullptr)) {
      Transaction transaction(reader->db(), Transaction::Kind::kRead);
      if (!transaction.begun().ok()) return transaction.begun();
      return body(reader->db());
    };
    auto result = read();
    if (reader->overtaken()) return StoreBusy(path_);
    MutexLock lock(&readers_mutex_);
    readers_.push_back(*std::move(reader));
    return result;
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

  // Whether commits from here on wait for the disk.
  absl::Status SetSync(bool sync) ABSL_EXCLUSIVE_LOCKS_REQUIRED(write_mutex_) {
    if (sync_ == sync) return absl::OkStatus();
    const absl::Status set =
        writer_->RunScript(sync ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    if (set.ok()) sync_ = sync;
    return set;
  }

  const SqliteOptions options_;
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
  absl::StatusOr<std::unique_ptr<Connection>> writer =
      OpenStoreFile(path, options.busy_limit, Migrations());
  if (!writer.ok()) return writer.status();
  auto store = std::make_unique<SqliteStore>(options, path, *std::move(writer));
  const absl::Status set = store->SetUp();
  if (!set.ok()) return set;
  return store;
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
  const absl::Status version = CheckReadVersion(reader->db(), Migrations());
  return absl::IsFailedPrecondition(version) && !reader->overtaken() ? version : absl::OkStatus();
}

}  // namespace referee::store
