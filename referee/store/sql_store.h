// A store in an SQL database: all calls of Store except Apply, each as one transaction.
//
// The subclasses for SQLite and PostgreSQL implement transactions. The calls are in
// account_table.cc, competition_table.cc, entrant_table.cc, lease_table.cc and block_table.cc.
#ifndef REFEREE_STORE_SQL_STORE_H_
#define REFEREE_STORE_SQL_STORE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "referee/store/sql.h"
#include "referee/store/store.h"
#include "referee/store/tables.h"

namespace referee::store {

class SqlStore : public Store {
 public:
  // --- Accounts ---

  absl::Status AddAccount(const Account& account, const AuditEntry& audit) override;
  absl::StatusOr<Account> GetAccount(absl::string_view name) override;
  absl::StatusOr<Account> FindToken(const dice::Bytes32& token_hash) override;
  absl::StatusOr<std::vector<Account>> ListAccounts(absl::string_view after, int limit) override;
  absl::Status SetToken(absl::string_view name, const dice::Bytes32& token_hash,
                        absl::Time token_time, absl::optional<absl::Duration> lifetime,
                        const AuditEntry& audit) override;
  absl::Status RenewToken(absl::string_view name, const dice::Bytes32& from_hash,
                          const dice::Bytes32& token_hash, absl::Time token_time,
                          absl::Time former_until, const AuditEntry& audit) override;
  absl::Status NoteUses(absl::Span<const std::pair<std::string, absl::Time>> uses) override;
  absl::Status SetDisabled(absl::string_view name, absl::string_view reason,
                           const AuditEntry& audit) override;
  absl::Status SetVersion(absl::string_view name, absl::string_view version, absl::Time time,
                          VersionSource source, const AuditEntry& audit) override;
  absl::Status ReleaseVersion(absl::string_view name, const AuditEntry& audit) override;
  absl::Status RemoveAccount(absl::string_view name, const AuditEntry& audit) override;
  absl::Status SetBan(const Ban& ban, const AuditEntry& audit) override;
  absl::Status RemoveBan(Ban::Kind kind, absl::string_view subject,
                         const AuditEntry& audit) override;
  absl::StatusOr<std::vector<Ban>> ListBans() override;
  absl::Status AppendAudit(const AuditEntry& audit) override;
  absl::StatusOr<std::vector<AuditEntry>> ListAudit(int64_t before, int limit) override;
  absl::StatusOr<std::vector<AuditEntry>> ListAuditAfter(int64_t after, int limit) override;

  // --- Competitions ---

  absl::StatusOr<Competition> CreateCompetition(const Competition& competition,
                                                const absl::optional<AuditEntry>& audit) override;
  absl::StatusOr<Competition> GetCompetition(const CompetitionId& id) override;
  absl::StatusOr<Competition> FindCompetition(absl::string_view name) override;
  absl::StatusOr<std::vector<Competition>> ListCompetitions(const CompetitionId& before,
                                                            int limit) override;
  absl::StatusOr<std::vector<Competition>> ListCompetitionsOf(absl::string_view bot,
                                                              const CompetitionId& before,
                                                              int limit) override;
  absl::StatusOr<std::vector<Competition>> ListUnfinished() override;
  absl::StatusOr<Competition> SetState(const CompetitionId& id, CompetitionState from,
                                       CompetitionState to, absl::Time time,
                                       const absl::optional<AuditEntry>& audit) override;
  absl::Status BeginLife(absl::string_view life) override;
  absl::StatusOr<Competition> UpdateSpec(const CompetitionId& id, int64_t version,
                                         const schedule::Spec& spec,
                                         const absl::optional<AuditEntry>& audit) override;
  absl::Status RemoveCompetition(const CompetitionId& id,
                                 const absl::optional<AuditEntry>& audit) override;
  absl::StatusOr<std::vector<std::string>> ReadPositions(const CompetitionId& id) override;
  absl::StatusOr<std::vector<Entrant>> ReadEntrants(const CompetitionId& id) override;
  absl::StatusOr<std::vector<Entry>> ListEntries(absl::string_view name, int limit) override;
  absl::StatusOr<Entrant> Join(const CompetitionId& id, absl::string_view name,
                               const absl::optional<AuditEntry>& audit) override;
  absl::StatusOr<Entrant> TakeOut(const CompetitionId& id, absl::string_view name, Presence out,
                                  absl::string_view reason,
                                  const absl::optional<AuditEntry>& audit) override;
  absl::StatusOr<Entrant> TakeOutByHome(const Lease& lease, const CompetitionId& id,
                                        absl::string_view name, Presence out,
                                        absl::string_view reason,
                                        const absl::optional<Suspension>& suspension) override;
  absl::StatusOr<Entrant> BringBackByHome(const Lease& lease, const CompetitionId& id,
                                          absl::string_view name) override;
  absl::StatusOr<Competition> BeginSeason(const CompetitionId& id, absl::string_view request_id,
                                          absl::Time time,
                                          const absl::optional<AuditEntry>& audit) override;

  // --- Blocks ---

  absl::StatusOr<int64_t> RenewLease(absl::string_view owner, absl::Duration ttl) override;
  absl::StatusOr<std::vector<Block>> ClaimExpired(const Lease& lease) override;
  absl::StatusOr<std::vector<Block>> TakeOver(const Lease& lease,
                                              absl::Span<const std::string> owners) override;
  absl::StatusOr<std::vector<LeaseHolder>> ListLeaseHolders() override;
  absl::Status Announce(const Lease& lease, absl::string_view address, bool draining) override;
  absl::Status SetUnable(const Lease& lease, bool unable) override;
  absl::Status AskToDrain(absl::string_view owner, const AuditEntry& audit) override;
  absl::StatusOr<std::vector<Daemon>> ListDaemons() override;
  absl::StatusOr<std::vector<CompetitionId>> TakeHomes(
      const Lease& lease, absl::Span<const CompetitionId> ids) override;
  absl::Status OfferHelp(const Lease& lease, const CompetitionId& id, const Help& help) override;
  absl::StatusOr<std::vector<Help>> ListHelp(const CompetitionId& id) override;
  absl::StatusOr<std::string> FleetSecret(
      absl::FunctionRef<void(absl::Span<uint8_t>)> entropy) override;
  absl::StatusOr<std::vector<Block>> ListOpenBlocks(const CompetitionId& id) override;
  absl::StatusOr<Block> GetBlock(const CompetitionId& id, int64_t number) override;
  absl::StatusOr<std::vector<Block>> ListBlocks(const CompetitionId& id, int64_t from, int limit,
                                                absl::optional<int> entrant) override;
  absl::StatusOr<std::vector<Block>> ListBlocksBelow(const CompetitionId& id, int64_t below,
                                                     int limit,
                                                     absl::optional<int> entrant) override;
  absl::StatusOr<std::vector<PairTotal>> ReadPairTotals(const CompetitionId& id) override;
  absl::StatusOr<std::vector<PairTotal>> ListPairTotals(const CompetitionId& id,
                                                        std::pair<int, int> from, int limit,
                                                        absl::optional<int> entrant) override;
  absl::Status ReadOutcomes(
      const CompetitionId& id, int64_t from, int64_t to,
      absl::FunctionRef<bool(int64_t number, const rating::BlockOutcome& outcome)> take) override;

 protected:
  using Body = absl::FunctionRef<absl::Status(SqlDatabase*)>;

  // What a writing transaction changes.
  enum class Writes {
    kRecords,  // anything but blocks and leases: one transaction at a time
    kBlocks,   // running blocks, or a lease; need not wait for the disk
    kClaim,    // owners of blocks
  };
  // Calls `body` in a transaction, and commits it if `body` returns OK. Returns the error of
  // either. Repeats both after conflicts with other transactions.
  virtual absl::Status InWrite(Writes writes, Body body) = 0;
  // Calls `body` on a snapshot of the database; perhaps several times if `repeatable`.
  virtual absl::Status InRead(bool repeatable, Body body) = 0;
  // The clock of leases.
  virtual absl::StatusOr<absl::Time> Now(SqlDatabase* db) = 0;

 private:
  static const absl::Status& StatusIn(const absl::Status& status) { return status; }
  template <typename T>
  static const absl::Status& StatusIn(const absl::StatusOr<T>& result) {
    return result.status();
  }

  // Each of these returns the result of its call, a Status or a StatusOr, or the transaction's
  // error.

  // Calls call(SqlDatabase*) in a writing transaction.
  template <typename Call>
  auto Write(Writes writes, Call call) {
    decltype(call(nullptr)) result = absl::UnknownError("");
    const absl::Status done = InWrite(writes, [&](SqlDatabase* db) {
      result = call(db);
      return StatusIn(result);
    });
    if (!done.ok()) result = done;
    return result;
  }
  // The same for records, with an entry of the audit log.
  template <typename Call>
  auto Audited(const absl::optional<AuditEntry>& audit, Call call) {
    return Write(Writes::kRecords, [&](SqlDatabase* db) {
      auto result = call(db);
      if (!StatusIn(result).ok() || !audit.has_value()) return result;
      if (absl::Status logged = LogAudit(db, *audit); !logged.ok()) result = std::move(logged);
      return result;
    });
  }
  // Calls call(SqlDatabase*, absl::Time now) under a lease, which must last.
  template <typename Call>
  auto WriteUnder(Writes writes, const Lease& lease, Call call) {
    using Result = decltype(call(nullptr, absl::Time()));
    return Write(writes, [&](SqlDatabase* db) -> Result {
      const absl::StatusOr<absl::Time> now = Now(db);
      if (!now.ok()) return now.status();
      const absl::Status lasts = CheckLease(db, lease, *now);
      return lasts.ok() ? call(db, *now) : lasts;
    });
  }
  // The same for the owner of a competition, with call(SqlDatabase*, Head*).
  template <typename Call>
  absl::StatusOr<Entrant> ByHome(const Lease& lease, const CompetitionId& id, Call call);
  // Calls call(SqlDatabase*, Head*) in a transaction of records. Adds the audit entry only if the
  // version of the competition has changed, so that repeated calls add one entry.
  template <typename Call>
  absl::StatusOr<Entrant> AuditedIfChanged(const CompetitionId& id,
                                           const absl::optional<AuditEntry>& audit, Call call);

  // Calls call(SqlDatabase*) on a snapshot.
  template <typename Call>
  auto Read(Call call) {
    decltype(call(nullptr)) result = absl::UnknownError("");
    const absl::Status done = InRead(true, [&](SqlDatabase* db) {
      result = call(db);
      return StatusIn(result);
    });
    if (!done.ok()) result = done;
    return result;
  }
  // The same with call(SqlDatabase*, absl::Time now).
  template <typename Call>
  auto ReadNow(Call call) {
    using Result = decltype(call(nullptr, absl::Time()));
    return Read([&](SqlDatabase* db) -> Result {
      const absl::StatusOr<absl::Time> now = Now(db);
      return now.ok() ? call(db, *now) : now.status();
    });
  }
  // The same with call(SqlDatabase*, const Head&), for a competition that must exist.
  template <typename Call>
  auto ReadOf(const CompetitionId& id, Call call) {
    using Result = decltype(call(nullptr, Head()));
    return Read([&](SqlDatabase* db) -> Result {
      const absl::StatusOr<Head> head = ReadHead(db, id);
      return head.ok() ? call(db, *head) : head.status();
    });
  }
};

}  // namespace referee::store

#endif  // REFEREE_STORE_SQL_STORE_H_
