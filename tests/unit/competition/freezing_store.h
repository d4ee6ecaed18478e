// A Store that hands all calls on to another until it is frozen: from a given write on it does
// nothing any more, and says so, as if the process had been killed just before that write.
#ifndef REFEREE_TESTS_UNIT_COMPETITION_FREEZING_STORE_H_
#define REFEREE_TESTS_UNIT_COMPETITION_FREEZING_STORE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "referee/store/store.h"

namespace referee::testing {

// Counts what is written, here and elsewhere, up to the write before which all freezes.
// Thread-compatible.
struct Frost {
  int64_t writes = 0;
  int64_t freezes_before = -1;  // -1: never
  bool frozen() const { return freezes_before >= 0 && writes >= freezes_before; }
  // Whether one more write happens.
  bool Write() {
    if (frozen()) return false;
    ++writes;
    return true;
  }
};

class FreezingStore final : public store::Store {
 public:
  // Both must outlive it.
  FreezingStore(store::Store* store, Frost* frost) : store_(*store), frost_(*frost) {}

  // What Apply returns instead of doing anything, as long as it is not OK.
  absl::Status apply_status;
  // Called after Apply has changed the store, and before its caller hears of it. May be null.
  std::function<void()> after_apply;
  // What RenewLease returns instead, likewise.
  absl::Status renew_status;
  // How often Apply was called.
  int applies = 0;
  // How often ListBlocks was called.
  int block_lists = 0;

  absl::Status AddAccount(const store::Account& account, const store::AuditEntry& audit) override {
    return frost_.Write() ? store_.AddAccount(account, audit) : Dead();
  }
  absl::StatusOr<store::Account> GetAccount(absl::string_view name) override {
    return store_.GetAccount(name);
  }
  absl::StatusOr<store::Account> FindToken(const dice::Bytes32& token_hash) override {
    return store_.FindToken(token_hash);
  }
  absl::StatusOr<std::vector<store::Account>> ListAccounts(absl::string_view after,
                                                           int limit) override {
    return store_.ListAccounts(after, limit);
  }
  absl::Status SetToken(absl::string_view name, const dice::Bytes32& token_hash,
                        absl::Time token_time, absl::optional<absl::Duration> lifetime,
                        const store::AuditEntry& audit) override {
    return frost_.Write() ? store_.SetToken(name, token_hash, token_time, lifetime, audit) : Dead();
  }
  absl::Status RenewToken(absl::string_view name, const dice::Bytes32& from_hash,
                          const dice::Bytes32& token_hash, absl::Time token_time,
                          absl::Time former_until, const store::AuditEntry& audit) override {
    return frost_.Write()
               ? store_.RenewToken(name, from_hash, token_hash, token_time, former_until, audit)
               : Dead();
  }
  absl::Status NoteUses(absl::Span<const std::pair<std::string, absl::Time>> uses) override {
    return frost_.Write() ? store_.NoteUses(uses) : Dead();
  }
  absl::Status SetDisabled(absl::string_view name, absl::string_view reason,
                           const store::AuditEntry& audit) override {
    return frost_.Write() ? store_.SetDisabled(name, reason, audit) : Dead();
  }
  absl::Status SetVersion(absl::string_view name, absl::string_view version, absl::Time time,
                          store::VersionSource source, const store::AuditEntry& audit) override {
    return frost_.Write() ? store_.SetVersion(name, version, time, source, audit) : Dead();
  }
  absl::Status ReleaseVersion(absl::string_view name, const store::AuditEntry& audit) override {
    return frost_.Write() ? store_.ReleaseVersion(name, audit) : Dead();
  }
  absl::Status RemoveAccount(absl::string_view name, const store::AuditEntry& audit) override {
    return frost_.Write() ? store_.RemoveAccount(name, audit) : Dead();
  }
  absl::Status SetBan(const store::Ban& ban, const store::AuditEntry& audit) override {
    return frost_.Write() ? store_.SetBan(ban, audit) : Dead();
  }
  absl::Status RemoveBan(store::Ban::Kind kind, absl::string_view subject,
                         const store::AuditEntry& audit) override {
    return frost_.Write() ? store_.RemoveBan(kind, subject, audit) : Dead();
  }
  absl::StatusOr<std::vector<store::Ban>> ListBans() override { return store_.ListBans(); }
  absl::Status AppendAudit(const store::AuditEntry& audit) override {
    return frost_.Write() ? store_.AppendAudit(audit) : Dead();
  }
  absl::StatusOr<std::vector<store::AuditEntry>> ListAuditAfter(int64_t after, int limit) override {
    return store_.ListAuditAfter(after, limit);
  }
  absl::StatusOr<std::vector<store::AuditEntry>> ListAudit(int64_t before, int limit) override {
    return store_.ListAudit(before, limit);
  }
  absl::StatusOr<store::Competition> CreateCompetition(
      const store::Competition& competition,
      const absl::optional<store::AuditEntry>& audit) override {
    return frost_.Write() ? store_.CreateCompetition(competition, audit) : Dead();
  }
  absl::StatusOr<store::Competition> GetCompetition(const store::CompetitionId& id) override {
    return store_.GetCompetition(id);
  }
  absl::StatusOr<store::Competition> FindCompetition(absl::string_view name) override {
    return store_.FindCompetition(name);
  }
  absl::StatusOr<std::vector<store::Competition>> ListCompetitions(
      const store::CompetitionId& before, int limit) override {
    return store_.ListCompetitions(before, limit);
  }
  absl::StatusOr<std::vector<store::Competition>> ListCompetitionsOf(
      absl::string_view bot, const store::CompetitionId& before, int limit) override {
    return store_.ListCompetitionsOf(bot, before, limit);
  }
  absl::StatusOr<std::vector<store::Competition>> ListUnfinished() override {
    return store_.ListUnfinished();
  }
  absl::StatusOr<store::Competition> SetState(
      const store::CompetitionId& id, store::CompetitionState from, store::CompetitionState to,
      absl::Time time, const absl::optional<store::AuditEntry>& audit) override {
    return frost_.Write() ? store_.SetState(id, from, to, time, audit) : Dead();
  }
  absl::StatusOr<store::Competition> UpdateSpec(
      const store::CompetitionId& id, int64_t version, const schedule::Spec& spec,
      const absl::optional<store::AuditEntry>& audit) override {
    return frost_.Write() ? store_.UpdateSpec(id, version, spec, audit) : Dead();
  }
  absl::Status BeginLife(absl::string_view life) override {
    return frost_.Write() ? store_.BeginLife(life) : Dead();
  }
  absl::Status RemoveCompetition(const store::CompetitionId& id,
                                 const absl::optional<store::AuditEntry>& audit) override {
    return frost_.Write() ? store_.RemoveCompetition(id, audit) : Dead();
  }
  absl::StatusOr<std::vector<std::string>> ReadPositions(const store::CompetitionId& id) override {
    return store_.ReadPositions(id);
  }
  absl::StatusOr<std::vector<store::Entrant>> ReadEntrants(
      const store::CompetitionId& id) override {
    return store_.ReadEntrants(id);
  }
  absl::StatusOr<std::vector<store::Entry>> ListEntries(absl::string_view name,
                                                        int limit) override {
    return store_.ListEntries(name, limit);
  }
  absl::StatusOr<store::Entrant> Join(const store::CompetitionId& id, absl::string_view name,
                                      const absl::optional<store::AuditEntry>& audit) override {
    return frost_.Write() ? store_.Join(id, name, audit) : Dead();
  }
  absl::StatusOr<store::Entrant> TakeOut(const store::CompetitionId& id, absl::string_view name,
                                         store::Presence out, absl::string_view reason,
                                         const absl::optional<store::AuditEntry>& audit) override {
    return frost_.Write() ? store_.TakeOut(id, name, out, reason, audit) : Dead();
  }
  absl::StatusOr<store::Entrant> TakeOutByHome(
      const store::Lease& lease, const store::CompetitionId& id, absl::string_view name,
      store::Presence out, absl::string_view reason,
      const absl::optional<store::Suspension>& suspension) override {
    return frost_.Write() ? store_.TakeOutByHome(lease, id, name, out, reason, suspension) : Dead();
  }
  absl::StatusOr<store::Entrant> BringBackByHome(const store::Lease& lease,
                                                 const store::CompetitionId& id,
                                                 absl::string_view name) override {
    return frost_.Write() ? store_.BringBackByHome(lease, id, name) : Dead();
  }
  absl::StatusOr<store::Competition> BeginSeason(
      const store::CompetitionId& id, absl::string_view request_id, absl::Time time,
      const absl::optional<store::AuditEntry>& audit) override {
    return frost_.Write() ? store_.BeginSeason(id, request_id, time, audit) : Dead();
  }
  absl::StatusOr<int64_t> RenewLease(absl::string_view owner, absl::Duration ttl) override {
    if (!renew_status.ok()) return renew_status;
    return frost_.Write() ? store_.RenewLease(owner, ttl) : Dead();
  }
  absl::StatusOr<std::vector<store::Block>> ClaimExpired(const store::Lease& lease) override {
    return frost_.Write() ? store_.ClaimExpired(lease) : Dead();
  }
  absl::StatusOr<std::vector<store::Block>> TakeOver(
      const store::Lease& lease, absl::Span<const std::string> owners) override {
    return frost_.Write() ? store_.TakeOver(lease, owners) : Dead();
  }
  absl::Status Announce(const store::Lease& lease, absl::string_view address,
                        bool draining) override {
    return frost_.Write() ? store_.Announce(lease, address, draining) : Dead();
  }
  absl::Status AskToDrain(absl::string_view asked, const store::AuditEntry& audit) override {
    return frost_.Write() ? store_.AskToDrain(asked, audit) : Dead();
  }
  absl::StatusOr<std::vector<store::Daemon>> ListDaemons() override { return store_.ListDaemons(); }
  absl::Status OfferHelp(const store::Lease& lease, const store::CompetitionId& id,
                         const store::Help& help) override {
    return frost_.Write() ? store_.OfferHelp(lease, id, help) : Dead();
  }
  absl::StatusOr<std::vector<store::Help>> ListHelp(const store::CompetitionId& id) override {
    return store_.ListHelp(id);
  }
  absl::StatusOr<std::vector<store::CompetitionId>> TakeHomes(
      const store::Lease& lease, absl::Span<const store::CompetitionId> ids) override {
    return frost_.Write() ? store_.TakeHomes(lease, ids) : Dead();
  }
  absl::StatusOr<std::vector<store::LeaseHolder>> ListLeaseHolders() override {
    return store_.ListLeaseHolders();
  }
  absl::Status Apply(const store::Lease& lease, absl::Span<const store::Change> changes) override {
    ++applies;
    if (!apply_status.ok()) return apply_status;
    if (!frost_.Write()) return Dead();
    const absl::Status done = store_.Apply(lease, changes);
    if (after_apply) after_apply();
    return done;
  }
  absl::StatusOr<std::vector<store::Block>> ListOpenBlocks(
      const store::CompetitionId& id) override {
    return store_.ListOpenBlocks(id);
  }
  absl::StatusOr<store::Block> GetBlock(const store::CompetitionId& id, int64_t number) override {
    return store_.GetBlock(id, number);
  }
  absl::StatusOr<std::vector<store::Block>> ListBlocks(const store::CompetitionId& id, int64_t from,
                                                       int limit,
                                                       absl::optional<int> entrant) override {
    ++block_lists;
    return store_.ListBlocks(id, from, limit, entrant);
  }
  absl::StatusOr<std::vector<store::Block>> ListBlocksBelow(const store::CompetitionId& id,
                                                            int64_t below, int limit,
                                                            absl::optional<int> entrant) override {
    return store_.ListBlocksBelow(id, below, limit, entrant);
  }
  absl::StatusOr<std::vector<store::PairTotal>> ReadPairTotals(
      const store::CompetitionId& id) override {
    return store_.ReadPairTotals(id);
  }
  absl::StatusOr<std::vector<store::PairTotal>> ListPairTotals(
      const store::CompetitionId& id, std::pair<int, int> from, int limit,
      absl::optional<int> entrant) override {
    return store_.ListPairTotals(id, from, limit, entrant);
  }
  absl::Status ReadOutcomes(
      const store::CompetitionId& id, int64_t from, int64_t to,
      absl::FunctionRef<bool(int64_t number, const rating::BlockOutcome& outcome)> take) override {
    return store_.ReadOutcomes(id, from, to, take);
  }

 private:
  static absl::Status Dead() { return absl::UnavailableError("the store is frozen"); }

  store::Store& store_;
  Frost& frost_;
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_UNIT_COMPETITION_FREEZING_STORE_H_
