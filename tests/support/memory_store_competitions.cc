// Competitions of MemoryStore and their states.
#include <algorithm>

#include "referee/store/errors.h"
#include "referee/store/spec_wire.h"
#include "tests/support/memory_store.h"

namespace referee::test {
namespace {

using store::AuditEntry;
using store::BlockState;
using store::Competition;
using store::CompetitionId;
using store::CompetitionState;
using store::Entrant;
using store::Presence;

}  // namespace

absl::StatusOr<Competition> MemoryStore::CreateCompetition(
    const Competition& competition, const absl::optional<AuditEntry>& audit) {
  MutexLock lock(&mutex_);
  for (const auto& [id, event] : world_.events) {
    if (competition.request_id.empty() || event.competition.request_id != competition.request_id) {
      continue;
    }
    if (store::SpecHash(competition.spec).value() != event.request_hash) {
      return absl::AlreadyExistsError(competition.request_id);
    }
    if (audit.has_value()) Log(&world_, *audit);
    return Whole(event);
  }
  for (const auto& [id, event] : world_.events) {
    if (id == competition.id || event.competition.spec.name == competition.spec.name) {
      return store::CompetitionExists(competition.spec.name);
    }
  }
  Event& event = world_.events[competition.id];
  event.competition.id = competition.id;
  event.competition.spec = competition.spec;
  event.competition.spec.entrants.clear();
  event.competition.position_count = static_cast<int>(competition.spec.positions.size());
  event.positions = std::move(event.competition.spec.positions);
  event.competition.spec.positions.clear();
  event.competition.dice_seed = competition.dice_seed;
  event.competition.lot_seed = competition.lot_seed;
  event.competition.request_id = competition.request_id;
  event.competition.create_time = competition.create_time;
  event.request_hash = store::SpecHash(competition.spec).value();
  for (const std::string& name : competition.spec.entrants) {
    Entrant entrant;
    entrant.number = static_cast<int>(event.entrants.size());
    entrant.name = name;
    entrant.version = VersionOf(world_, name);
    event.entrants.push_back(entrant);
  }
  if (audit.has_value()) Log(&world_, *audit);
  return Whole(event);
}

absl::StatusOr<Competition> MemoryStore::GetCompetition(const CompetitionId& id) {
  MutexLock lock(&mutex_);
  const absl::StatusOr<Event*> event = FindEvent(&world_, id);
  if (!event.ok()) return event.status();
  return Whole(**event);
}

absl::StatusOr<std::vector<std::string>> MemoryStore::ReadPositions(const CompetitionId& id) {
  MutexLock lock(&mutex_);
  const absl::StatusOr<Event*> event = FindEvent(&world_, id);
  if (!event.ok()) return event.status();
  return (*event)->positions;
}

absl::StatusOr<Competition> MemoryStore::FindCompetition(absl::string_view name) {
  MutexLock lock(&mutex_);
  for (const auto& [id, event] : world_.events) {
    if (event.competition.spec.name == name) return Whole(event);
  }
  return store::NoCompetition(name);
}

absl::StatusOr<std::vector<Competition>> MemoryStore::ListCompetitions(const CompetitionId& before,
                                                                       int limit) {
  MutexLock lock(&mutex_);
  std::vector<Competition> competitions;
  for (auto at = world_.events.rbegin(); at != world_.events.rend(); ++at) {
    if (!before.text().empty() && !(at->first < before)) continue;
    if (static_cast<int>(competitions.size()) == limit) break;
    competitions.push_back(at->second.competition);
  }
  return competitions;
}

absl::StatusOr<std::vector<Competition>> MemoryStore::ListCompetitionsOf(
    absl::string_view bot, const CompetitionId& before, int limit) {
  MutexLock lock(&mutex_);
  std::vector<Competition> competitions;
  for (auto at = world_.events.rbegin(); at != world_.events.rend(); ++at) {
    const std::vector<store::Entrant>& entrants = at->second.entrants;
    if (!before.text().empty() && !(at->first < before)) continue;
    if (static_cast<int>(competitions.size()) == limit) break;
    if (std::any_of(entrants.begin(), entrants.end(),
                    [&](const store::Entrant& entrant) { return entrant.name == bot; })) {
      competitions.push_back(at->second.competition);
    }
  }
  return competitions;
}

absl::StatusOr<std::vector<Competition>> MemoryStore::ListUnfinished() {
  MutexLock lock(&mutex_);
  std::vector<Competition> competitions;
  for (const auto& [id, event] : world_.events) {
    if (event.competition.state != CompetitionState::kFinished) {
      competitions.push_back(event.competition);
    }
  }
  return competitions;
}

absl::StatusOr<Competition> MemoryStore::SetState(const CompetitionId& id, CompetitionState from,
                                                  CompetitionState to, absl::Time time,
                                                  const absl::optional<AuditEntry>& audit) {
  MutexLock lock(&mutex_);
  const absl::StatusOr<Event*> event = FindEvent(&world_, id);
  if (!event.ok()) return event.status();
  Competition& competition = (*event)->competition;
  if (competition.state != from) {
    return store::CompetitionMovedOn(competition.spec.name, StateName(competition.state));
  }
  if (to == CompetitionState::kFinished) {
    for (const auto& [number, block] : (*event)->blocks) {
      if (block.state == BlockState::kRunning) {
        return absl::FailedPreconditionError(competition.spec.name);
      }
    }
    competition.finish_time = time;
  }
  if (to == CompetitionState::kRunning && !competition.start_time.has_value()) {
    competition.start_time = time;
  }
  competition.state = to;
  ++competition.version;
  if (audit.has_value()) Log(&world_, *audit);
  return competition;
}

absl::Status MemoryStore::BeginLife(absl::string_view life) {
  MutexLock lock(&mutex_);
  for (auto& [id, event] : world_.events) {
    Competition& competition = event.competition;
    const bool draws = competition.dice_seed.has_value() || competition.lot_seed.has_value();
    if (competition.state == CompetitionState::kFinished || !draws) continue;
    competition.dice_lives.emplace_back(life);
    competition.life_blocks.push_back(competition.next_block);
    ++competition.version;
  }
  return absl::OkStatus();
}

absl::StatusOr<Competition> MemoryStore::UpdateSpec(const CompetitionId& id, int64_t version,
                                                    const schedule::Spec& spec,
                                                    const absl::optional<AuditEntry>& audit) {
  MutexLock lock(&mutex_);
  const absl::StatusOr<Event*> event = FindEvent(&world_, id);
  if (!event.ok()) return event.status();
  Competition& competition = (*event)->competition;
  if (competition.version != version) {
    return store::CompetitionMovedOn(competition.spec.name, "has changed");
  }
  for (const auto& [other_id, other] : world_.events) {
    if (other_id != id && other.competition.spec.name == spec.name) {
      return store::CompetitionExists(spec.name);
    }
  }
  competition.spec = spec;
  competition.spec.entrants.clear();
  competition.spec.positions.clear();
  ++competition.version;
  if (audit.has_value()) Log(&world_, *audit);
  return competition;
}

absl::Status MemoryStore::RemoveCompetition(const CompetitionId& id,
                                            const absl::optional<AuditEntry>& audit) {
  MutexLock lock(&mutex_);
  const absl::StatusOr<Event*> event = FindEvent(&world_, id);
  if (!event.ok()) return event.status();
  const CompetitionState state = (*event)->competition.state;
  if (state != CompetitionState::kNew && state != CompetitionState::kFinished) {
    return absl::FailedPreconditionError(id.text());
  }
  const schedule::Spec& spec = (*event)->competition.spec;
  if (spec.keep_replays) return absl::FailedPreconditionError(spec.name);
  world_.events.erase(id);
  if (audit.has_value()) Log(&world_, *audit);
  return absl::OkStatus();
}

absl::StatusOr<Competition> MemoryStore::BeginSeason(const CompetitionId& id,
                                                     absl::string_view request_id, absl::Time time,
                                                     const absl::optional<AuditEntry>& audit) {
  MutexLock lock(&mutex_);
  World next = world_;
  const absl::StatusOr<Event*> event = FindEvent(&next, id);
  if (!event.ok()) return event.status();
  Competition& competition = (*event)->competition;
  const bool repeats = !request_id.empty() && (*event)->season_request_id == request_id;
  const bool goes_on = competition.state == CompetitionState::kRunning ||
                       competition.state == CompetitionState::kPaused;
  if (!repeats && !goes_on) {
    return absl::FailedPreconditionError(competition.spec.name);
  }
  if (!repeats) {
    ++competition.season;
    competition.season_time = time;
    competition.season_block = competition.next_block;
    (*event)->season_request_id = std::string(request_id);
    ++competition.version;
    const std::vector<Entrant> before = (*event)->entrants;
    for (const Entrant& entrant : before) {
      if (entrant.presence != Presence::kIn) continue;
      absl::Status in =
          BringIn(*event, entrant.name, entrant.version, store::VersionSource::kOrganiser);
      if (!in.ok()) return in;
    }
  }
  if (audit.has_value()) Log(&next, *audit);
  world_ = std::move(next);
  return world_.events[id].competition;
}

}  // namespace referee::test
