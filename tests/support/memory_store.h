// A Store in memory, for tests: the reference implementation in the simplest form.
//
// Values are in maps under one lock. A write changes a copy of everything, and the copy replaces
// the original if the write succeeds.
#ifndef REFEREE_TESTS_SUPPORT_MEMORY_STORE_H_
#define REFEREE_TESTS_SUPPORT_MEMORY_STORE_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/store/store.h"

namespace referee::test {

class MemoryStore : public store::Store {
 public:
  // `clock` times the leases, and must outlive this object. Null: the machine's clock.
  explicit MemoryStore(const Clock* clock = nullptr)
      : clock_(clock == nullptr ? machine_ : *clock) {}

  absl::Status AddAccount(const store::Account& account, const store::AuditEntry& audit) override;
  absl::StatusOr<store::Account> GetAccount(absl::string_view name) override;
  absl::StatusOr<store::Account> FindToken(const dice::Bytes32& token_hash) override;
  absl::StatusOr<std::vector<store::Account>> ListAccounts(absl::string_view after,
                                                           int limit) override;
  absl::Status SetToken(absl::string_view name, const dice::Bytes32& token_hash,
                        absl::Time token_time, absl::optional<absl::Duration> lifetime,
                        const store::AuditEntry& audit) override;
  absl::Status RenewToken(absl::string_view name, const dice::Bytes32& from_hash,
                          const dice::Bytes32& token_hash, absl::Time token_time,
                          absl::Time former_until, const store::AuditEntry& audit) override;
  absl::Status NoteUses(absl::Span<const std::pair<std::string, absl::Time>> uses) override;
  absl::Status SetDisabled(absl::string_view name, absl::string_view reason,
                           const store::AuditEntry& audit) override;
  absl::Status SetVersion(absl::string_view name, absl::string_view version, absl::Time time,
                          store::VersionSource source, const store::AuditEntry& audit) override;
  absl::Status ReleaseVersion(absl::string_view name, const store::AuditEntry& audit) override;
  absl::Status RemoveAccount(absl::string_view name, const store::AuditEntry& audit) override;
  absl::Status SetBan(const store::Ban& ban, const store::AuditEntry& audit) override;
  absl::Status RemoveBan(store::Ban::Kind kind, absl::string_view subject,
                         const store::AuditEntry& audit) override;
  absl::StatusOr<std::vector<store::Ban>> ListBans() override;
  absl::Status AppendAudit(const store::AuditEntry& audit) override;
  absl::StatusOr<std::vector<store::AuditEntry>> ListAudit(int64_t before, int limit) override;
  absl::StatusOr<std::vector<store::AuditEntry>> ListAuditAfter(int64_t after, int limit) override;

  absl::StatusOr<store::Competition> CreateCompetition(
      const store::Competition& competition,
      const absl::optional<store::AuditEntry>& audit) override;
  absl::StatusOr<store::Competition> GetCompetition(const store::CompetitionId& id) override;
  absl::StatusOr<store::Competition> FindCompetition(absl::string_view name) override;
  absl::StatusOr<std::vector<store::Competition>> ListCompetitions(
      const store::CompetitionId& before, int limit) override;
  absl::StatusOr<std::vector<store::Competition>> ListCompetitionsOf(
      absl::string_view bot, const store::CompetitionId& before, int limit) override;
  absl::StatusOr<std::vector<store::Competition>> ListUnfinished() override;
  absl::StatusOr<store::Competition> SetState(
      const store::CompetitionId& id, store::CompetitionState from, store::CompetitionState to,
      absl::Time time, const absl::optional<store::AuditEntry>& audit) override;
  absl::Status BeginLife(absl::string_view life) override;
  absl::StatusOr<store::Competition> UpdateSpec(
      const store::CompetitionId& id, int64_t version, const schedule::Spec& spec,
      const absl::optional<store::AuditEntry>& audit) override;
  absl::Status RemoveCompetition(const store::CompetitionId& id,
                                 const absl::optional<store::AuditEntry>& audit) override;
  absl::StatusOr<std::vector<std::string>> ReadPositions(const store::CompetitionId& id) override;
  absl::StatusOr<std::vector<store::Entrant>> ReadEntrants(const store::CompetitionId& id) override;
  absl::StatusOr<std::vector<store::Entry>> ListEntries(absl::string_view name, int limit) override;
  absl::StatusOr<store::Entrant> Join(const store::CompetitionId& id, absl::string_view name,
                                      const absl::optional<store::AuditEntry>& audit) override;
  absl::StatusOr<store::Entrant> TakeOut(const store::CompetitionId& id, absl::string_view name,
                                         store::Presence out, absl::string_view reason,
                                         const absl::optional<store::AuditEntry>& audit) override;

  absl::StatusOr<store::Entrant> TakeOutByHome(
      const store::Lease& lease, const store::CompetitionId& id, absl::string_view name,
      store::Presence out, absl::string_view reason,
      const absl::optional<store::Suspension>& suspension) override;
  absl::StatusOr<store::Entrant> BringBackByHome(const store::Lease& lease,
                                                 const store::CompetitionId& id,
                                                 absl::string_view name) override;
  absl::StatusOr<store::Competition> BeginSeason(
      const store::CompetitionId& id, absl::string_view request_id, absl::Time time,
      const absl::optional<store::AuditEntry>& audit) override;

  absl::StatusOr<int64_t> RenewLease(absl::string_view owner, absl::Duration ttl) override;
  absl::StatusOr<std::vector<store::Block>> ClaimExpired(const store::Lease& lease) override;
  absl::StatusOr<std::vector<store::Block>> TakeOver(const store::Lease& lease,
                                                     absl::Span<const std::string> owners) override;
  absl::StatusOr<std::vector<store::LeaseHolder>> ListLeaseHolders() override;
  absl::Status Announce(const store::Lease& lease, absl::string_view address,
                        bool draining) override;
  absl::Status SetUnable(const store::Lease& lease, bool unable) override;
  absl::Status AskToDrain(absl::string_view owner, const store::AuditEntry& audit) override;
  absl::StatusOr<std::vector<store::Daemon>> ListDaemons() override;
  absl::StatusOr<std::vector<store::CompetitionId>> TakeHomes(
      const store::Lease& lease, absl::Span<const store::CompetitionId> ids) override;
  absl::Status OfferHelp(const store::Lease& lease, const store::CompetitionId& id,
                         const store::Help& help) override;
  absl::StatusOr<std::vector<store::Help>> ListHelp(const store::CompetitionId& id) override;
  absl::StatusOr<std::string> FleetSecret(
      absl::FunctionRef<void(absl::Span<uint8_t>)> entropy) override;
  absl::Status Apply(const store::Lease& lease, absl::Span<const store::Change> changes) override;
  absl::StatusOr<std::vector<store::Block>> ListOpenBlocks(const store::CompetitionId& id) override;
  absl::StatusOr<store::Block> GetBlock(const store::CompetitionId& id, int64_t number) override;
  absl::StatusOr<std::vector<store::Block>> ListBlocks(const store::CompetitionId& id, int64_t from,
                                                       int limit,
                                                       absl::optional<int> entrant) override;
  absl::StatusOr<std::vector<store::Block>> ListBlocksBelow(const store::CompetitionId& id,
                                                            int64_t below, int limit,
                                                            absl::optional<int> entrant) override;
  absl::StatusOr<std::vector<store::PairTotal>> ReadPairTotals(
      const store::CompetitionId& id) override;
  absl::StatusOr<std::vector<store::PairTotal>> ListPairTotals(
      const store::CompetitionId& id, std::pair<int, int> from, int limit,
      absl::optional<int> entrant) override;
  absl::Status ReadOutcomes(
      const store::CompetitionId& id, int64_t from, int64_t to,
      absl::FunctionRef<bool(int64_t number, const rating::BlockOutcome& outcome)> take) override;

 private:
  struct Event {
    store::Competition competition;  // without names and positions of entrants
    dice::Bytes32 request_hash{};    // store::SpecHash of the requested spec
    std::vector<std::string> positions;
    std::vector<store::Entrant> entrants;
    std::map<int64_t, store::Block> blocks;
    std::map<std::pair<int, int>, store::PairTotal> pairs;
    std::string season_request_id;
    std::map<int64_t, store::Help> help;  // by term
  };
  struct Term {
    int64_t number = 0;
    absl::Time until;
    std::string address = {};
    bool draining = false;
    bool unable = false;
  };
  struct World {
    std::map<std::string, store::Account> accounts;
    std::map<std::pair<store::Ban::Kind, std::string>, store::Ban> bans;
    std::vector<store::AuditEntry> audit;
    std::map<store::CompetitionId, Event> events;
    std::map<std::string, Term> leases;
    int64_t last_term = 0;
    std::string fleet_secret;  // empty: not drawn yet
  };

  static absl::StatusOr<Event*> FindEvent(World* world, const store::CompetitionId& id);
  static store::Competition Whole(const Event& event);
  static void Log(World* world, const store::AuditEntry& audit);
  static absl::StatusOr<store::Entrant> TakeOutOf(
      Event* event, absl::string_view name, store::Presence out, absl::string_view reason,
      const absl::optional<store::Suspension>& suspension);
  absl::StatusOr<store::Entrant> JoinLocked(const store::CompetitionId& id, absl::string_view name)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The version of the account with this name; empty if it has none.
  static std::string VersionOf(const World& world, absl::string_view name);
  // Makes a bot, which already has entrants, an active entrant with this version.
  static absl::Status BringIn(Event* event, absl::string_view name, const std::string& version,
                              store::VersionSource by);

  // Returns Aborted if the lease has expired.
  static absl::Status Check(const World& world, const store::Lease& lease, absl::Time now);

  // Returns Aborted unless the lease covers the owner of the competition.
  static absl::Status CheckHome(const store::Competition& competition, const store::Lease& lease);

  // Make one change under this lease.
  static absl::Status Make(World* world, const store::Lease& lease, const store::BeginBlock& begin);
  static absl::Status Make(World* world, const store::Lease& lease, const store::NameMatches& name);
  static absl::Status Make(World* world, const store::Lease& lease, const store::RetryBlock& retry);
  static absl::Status Make(World* world, const store::Lease& lease,
                           const store::FinishBlock& finish);
  static absl::Status Make(World* world, const store::Lease& lease, const store::DropBlock& drop);
  static absl::Status Make(World* world, const store::Lease& lease,
                           const store::CountBlocks& count);

  const SystemClock machine_;
  const Clock& clock_;
  Mutex mutex_;
  World world_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::test

#endif  // REFEREE_TESTS_SUPPORT_MEMORY_STORE_H_
