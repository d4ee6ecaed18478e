// A store in a database that speaks SQL: all calls of Store but Apply, each a transaction over the
// tables (account_table.h and its likes). SQLite and PostgreSQL say what a transaction is.
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
  absl::Status AskToDrain(absl::string_view owner, const AuditEntry& audit) override;
  absl::StatusOr<std::vector<Daemon>> ListDaemons() override;
  absl::StatusOr<std::vector<CompetitionId>> TakeHomes(
      const Lease& lease, absl::Span<const CompetitionId> ids) override;
  absl::Status OfferHelp(const Lease& lease, const CompetitionId& id, const Help& help) override;
  absl::StatusOr<std::vector<Help>> ListHelp(const CompetitionId& id) override;
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

  // What a transaction that writes is about.
  enum class Writes {
    kRecords,  // anything but blocks and leases: one at a time
    kBlocks,   // blocks that go on, or a lease; it may not wait for the disk
    kClaim,    // who owns blocks
  };
  // Calls `body` in a transaction that is committed if it returns OK. Returns the error of either.
  // May do so several times, when others were in the way.
  virtual absl::Status InWrite(Writes writes, Body body) = 0;
  // Calls `body` as of one moment of the database. May do so several times if it is `repeatable`.
  virtual absl::Status InRead(bool repeatable, Body body) = 0;
  // The time that leases go by.
  virtual absl::StatusOr<absl::Time> Now(SqlDatabase* db) = 0;

 private:
  // Returns Aborted unless the lease lasts, and the home of the competition is under it.
  absl::Status CheckHome(SqlDatabase* db, const Lease& lease, const CompetitionId& id);

  // Calls body(SqlDatabase*), which returns a Status or a StatusOr.
  template <typename Call>
  auto Write(Writes writes, Call call) -> decltype(call(nullptr));
  // The same, of records, with an entry of the audit log.
  template <typename Call>
  auto Audited(const absl::optional<AuditEntry>& audit, Call call) -> decltype(call(nullptr));
  // The same, without an entry if the competition is as it was: repeats are one entry.
  template <typename Call>
  absl::StatusOr<Entrant> AuditedIfChanged(const CompetitionId& id,
                                           const absl::optional<AuditEntry>& audit, Call call);
  template <typename Call>
  auto Read(Call call) -> decltype(call(nullptr));
};

}  // namespace referee::store

#endif  // REFEREE_STORE_SQL_STORE_H_
