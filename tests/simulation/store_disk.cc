#include "tests/simulation/store_disk.h"

namespace referee::simulation {
namespace {

absl::Status Full() { return absl::ResourceExhaustedError("no space left for the store"); }

}  // namespace

absl::StatusOr<store::Competition> StoreDisk::CreateCompetition(
    const store::Competition& competition, const absl::optional<store::AuditEntry>& audit) {
  if (!on_write()) return Full();
  return MemoryStore::CreateCompetition(competition, audit);
}

absl::StatusOr<store::Competition> StoreDisk::SetState(
    const store::CompetitionId& id, store::CompetitionState from, store::CompetitionState to,
    absl::Time time, const absl::optional<store::AuditEntry>& audit) {
  if (!on_write()) return Full();
  absl::StatusOr<store::Competition> now = MemoryStore::SetState(id, from, to, time, audit);
  if (now.ok()) watcher->OnState(to);
  return now;
}

absl::StatusOr<store::Entrant> StoreDisk::Join(const store::CompetitionId& id,
                                               absl::string_view name,
                                               const absl::optional<store::AuditEntry>& audit) {
  if (!on_write()) return Full();
  absl::StatusOr<store::Entrant> joined = MemoryStore::Join(id, name, audit);
  if (joined.ok()) TellEntrants(joined->name);
  return joined;
}

absl::Status StoreDisk::SetVersion(absl::string_view name, absl::string_view version,
                                   absl::Time time, store::VersionSource source,
                                   const store::AuditEntry& audit) {
  if (!on_write()) return Full();
  absl::Status set = MemoryStore::SetVersion(name, version, time, source, audit);
  if (set.ok()) TellEntrants(std::string(name));
  return set;
}

absl::StatusOr<store::Competition> StoreDisk::BeginSeason(
    const store::CompetitionId& id, absl::string_view request_id, absl::Time time,
    const absl::optional<store::AuditEntry>& audit) {
  if (!on_write()) return Full();
  absl::StatusOr<store::Competition> begun = MemoryStore::BeginSeason(id, request_id, time, audit);
  if (begun.ok()) TellEntrants("");
  return begun;
}

void StoreDisk::TellEntrants(const std::string& bot) {
  const auto competitions = ListCompetitions(store::CompetitionId(), 1);
  if (!competitions.ok() || competitions->empty()) return;
  const auto entrants = ReadEntrants(competitions->front().id);
  if (entrants.ok()) watcher->OnEntrants(bot, *entrants);
}

absl::StatusOr<store::Entrant> StoreDisk::TakeOut(const store::CompetitionId& id,
                                                  absl::string_view name, store::Presence out,
                                                  absl::string_view reason,
                                                  const absl::optional<store::AuditEntry>& audit) {
  if (!on_write()) return Full();
  return MemoryStore::TakeOut(id, name, out, reason, audit);
}

absl::StatusOr<store::Entrant> StoreDisk::TakeOutByHome(
    const store::Lease& lease, const store::CompetitionId& id, absl::string_view name,
    store::Presence out, absl::string_view reason,
    const absl::optional<store::Suspension>& suspension) {
  if (!on_write()) return Full();
  return MemoryStore::TakeOutByHome(lease, id, name, out, reason, suspension);
}

absl::StatusOr<store::Entrant> StoreDisk::BringBackByHome(const store::Lease& lease,
                                                          const store::CompetitionId& id,
                                                          absl::string_view name) {
  if (!on_write()) return Full();
  absl::StatusOr<store::Entrant> back = MemoryStore::BringBackByHome(lease, id, name);
  if (back.ok()) TellEntrants(std::string(name));
  return back;
}

absl::Status StoreDisk::SetUnable(const store::Lease& lease, bool unable) {
  if (!on_write()) return Full();
  return MemoryStore::SetUnable(lease, unable);
}

absl::Status StoreDisk::Announce(const store::Lease& lease, absl::string_view address,
                                 bool draining) {
  if (!on_write()) return Full();
  return MemoryStore::Announce(lease, address, draining);
}

absl::StatusOr<std::vector<store::CompetitionId>> StoreDisk::TakeHomes(
    const store::Lease& lease, absl::Span<const store::CompetitionId> ids) {
  if (!on_write()) return Full();
  return MemoryStore::TakeHomes(lease, ids);
}

absl::StatusOr<int64_t> StoreDisk::RenewLease(absl::string_view owner, absl::Duration ttl) {
  if (!on_write()) return Full();
  return MemoryStore::RenewLease(owner, ttl);
}

absl::StatusOr<std::vector<store::Block>> StoreDisk::ClaimExpired(const store::Lease& lease) {
  if (!on_write()) return Full();
  return MemoryStore::ClaimExpired(lease);
}

absl::StatusOr<std::vector<store::Block>> StoreDisk::TakeOver(
    const store::Lease& lease, absl::Span<const std::string> owners) {
  if (!on_write()) return Full();
  return MemoryStore::TakeOver(lease, owners);
}

absl::Status StoreDisk::Apply(const store::Lease& lease, absl::Span<const store::Change> changes) {
  if (!on_write()) return Full();
  absl::Status applied = MemoryStore::Apply(lease, changes);
  if (applied.ok()) watcher->OnApplied(changes);
  return applied;
}

}  // namespace referee::simulation
