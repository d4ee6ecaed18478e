// The store of a run: a MemoryStore that outlives the referee, can refuse writes, and reports those
// it made. `on_write` must refuse the writes of a process that has died.
#ifndef REFEREE_TESTS_SIMULATION_STORE_DISK_H_
#define REFEREE_TESTS_SIMULATION_STORE_DISK_H_

#include <functional>
#include <vector>

#include "tests/support/memory_store.h"

namespace referee::simulation {

// Is told what was written.
class StoreWatcher {
 public:
  virtual ~StoreWatcher() = default;
  virtual void OnApplied(absl::Span<const store::Change> changes) = 0;
  // A bot was let in, or has another version; with an empty name, a season has begun. `entrants`
  // are all that there are then.
  virtual void OnEntrants(const std::string& bot, const std::vector<store::Entrant>& entrants) = 0;
  virtual void OnState(store::CompetitionState state) = 0;
};

// Of one competition. Accounts may be added before it begins to refuse. Thread-compatible.
class StoreDisk final : public test::MemoryStore {
 public:
  explicit StoreDisk(const Clock* clock) : MemoryStore(clock) {}

  // Asked before each write whether it happens; if not, the disk is full.
  std::function<bool()> on_write = [] { return true; };
  StoreWatcher* watcher = nullptr;

  absl::StatusOr<store::Competition> CreateCompetition(
      const store::Competition& competition,
      const absl::optional<store::AuditEntry>& audit) override;
  absl::StatusOr<store::Competition> SetState(
      const store::CompetitionId& id, store::CompetitionState from, store::CompetitionState to,
      absl::Time time, const absl::optional<store::AuditEntry>& audit) override;
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
  absl::Status SetVersion(absl::string_view name, absl::string_view version, absl::Time time,
                          store::VersionSource source, const store::AuditEntry& audit) override;
  absl::StatusOr<store::Competition> BeginSeason(
      const store::CompetitionId& id, absl::string_view request_id, absl::Time time,
      const absl::optional<store::AuditEntry>& audit) override;
  absl::StatusOr<int64_t> RenewLease(absl::string_view owner, absl::Duration ttl) override;
  absl::StatusOr<std::vector<store::Block>> ClaimExpired(const store::Lease& lease) override;
  absl::StatusOr<std::vector<store::Block>> TakeOver(const store::Lease& lease,
                                                     absl::Span<const std::string> owners) override;
  absl::Status SetUnable(const store::Lease& lease, bool unable) override;
  absl::Status Announce(const store::Lease& lease, absl::string_view address,
                        bool draining) override;
  absl::StatusOr<std::vector<store::CompetitionId>> TakeHomes(
      const store::Lease& lease, absl::Span<const store::CompetitionId> ids) override;
  absl::Status Apply(const store::Lease& lease, absl::Span<const store::Change> changes) override;

 private:
  void TellEntrants(const std::string& bot);
};

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_STORE_DISK_H_
