#include "tests/support/memory_store.h"

#include <algorithm>

#include "referee/base/limits.h"
#include "referee/store/errors.h"
#include "referee/store/succession.h"

namespace referee::test {
namespace {

using store::Account;
using store::AuditEntry;
using store::Competition;
using store::CompetitionId;
using store::CompetitionState;
using store::Entrant;
using store::Presence;

template <typename Accounts>
bool TokenKnown(const Accounts& accounts, const dice::Bytes32& token_hash) {
  return std::any_of(accounts.begin(), accounts.end(), [&](const auto& entry) {
    return entry.second.token_hash == token_hash || entry.second.former_hash == token_hash;
  });
}

// Whether `name` is an organiser that is not disabled, and every other organiser is disabled or
// banned.
template <typename World>
bool IsLastOrganiser(const World& world, absl::string_view name, absl::Time now) {
  bool is_one = false;
  for (const auto& [other, account] : world.accounts) {
    if (account.role != store::Role::kOrganiser || !account.disabled.empty()) continue;
    if (other == name) {
      is_one = true;
      continue;
    }
    const auto ban = world.bans.find({store::Ban::Kind::kAccount, other});
    const bool banned = ban != world.bans.end() && (!ban->second.until || now < *ban->second.until);
    if (!banned) return false;
  }
  return is_one;
}

// The current entrant of the bot: the one without a successor.
Entrant* FindEntrant(std::vector<Entrant>* entrants, absl::string_view name) {
  const auto found = std::find_if(entrants->begin(), entrants->end(), [&](const Entrant& entrant) {
    return entrant.name == name && !entrant.successor;
  });
  return found == entrants->end() ? nullptr : &*found;
}

}  // namespace

// --- Accounts ---

absl::Status MemoryStore::AddAccount(const Account& account, const AuditEntry& audit) {
  MutexLock lock(&mutex_);
  if (world_.accounts.count(account.name) > 0) return absl::AlreadyExistsError(account.name);
  if (TokenKnown(world_.accounts, account.token_hash)) return store::TokenInUse();
  world_.accounts[account.name] = account;
  Log(&world_, audit);
  return absl::OkStatus();
}

absl::StatusOr<Account> MemoryStore::GetAccount(absl::string_view name) {
  MutexLock lock(&mutex_);
  const auto found = world_.accounts.find(std::string(name));
  if (found == world_.accounts.end()) return store::NoAccount(name);
  return found->second;
}

absl::StatusOr<Account> MemoryStore::FindToken(const dice::Bytes32& token_hash) {
  MutexLock lock(&mutex_);
  for (const auto& [name, account] : world_.accounts) {
    if (account.token_hash == token_hash) return account;
  }
  return absl::NotFoundError("");
}

absl::StatusOr<std::vector<Account>> MemoryStore::ListAccounts(absl::string_view after, int limit) {
  MutexLock lock(&mutex_);
  std::vector<Account> accounts;
  for (auto at = world_.accounts.upper_bound(std::string(after));
       at != world_.accounts.end() && static_cast<int>(accounts.size()) < limit; ++at) {
    accounts.push_back(at->second);
  }
  return accounts;
}

absl::Status MemoryStore::SetToken(absl::string_view name, const dice::Bytes32& token_hash,
                                   absl::Time token_time, absl::optional<absl::Duration> lifetime,
                                   const AuditEntry& audit) {
  MutexLock lock(&mutex_);
  const auto found = world_.accounts.find(std::string(name));
  if (found == world_.accounts.end()) return store::NoAccount(name);
  if (TokenKnown(world_.accounts, token_hash)) return store::TokenInUse();
  Account& account = found->second;
  account.token_hash = token_hash;
  account.token_time = token_time;
  account.token_lifetime = lifetime.value_or(account.token_lifetime);
  account.former_hash.reset();
  account.former_until.reset();
  Log(&world_, audit);
  return absl::OkStatus();
}

absl::Status MemoryStore::RenewToken(absl::string_view name, const dice::Bytes32& from_hash,
                                     const dice::Bytes32& token_hash, absl::Time token_time,
                                     absl::Time former_until, const AuditEntry& audit) {
  MutexLock lock(&mutex_);
  const auto found = world_.accounts.find(std::string(name));
  if (found == world_.accounts.end()) return store::NoAccount(name);
  Account& account = found->second;
  if (account.token_hash != from_hash) return absl::FailedPreconditionError(name);
  if (absl::Status may = store::CheckMayRenew(account, token_time); !may.ok()) return may;
  if (TokenKnown(world_.accounts, token_hash)) return store::TokenInUse();
  account.former_hash = from_hash;
  account.former_until = former_until;
  account.token_hash = token_hash;
  account.token_time = token_time;
  Log(&world_, audit);
  return absl::OkStatus();
}

absl::Status MemoryStore::NoteUses(absl::Span<const std::pair<std::string, absl::Time>> uses) {
  MutexLock lock(&mutex_);
  for (const auto& [name, time] : uses) {
    const auto found = world_.accounts.find(name);
    if (found == world_.accounts.end()) continue;
    absl::optional<absl::Time>& last = found->second.last_used;
    last = last ? std::max(*last, time) : time;
  }
  return absl::OkStatus();
}

absl::Status MemoryStore::SetDisabled(absl::string_view name, absl::string_view reason,
                                      const AuditEntry& audit) {
  MutexLock lock(&mutex_);
  const auto found = world_.accounts.find(std::string(name));
  if (found == world_.accounts.end()) return store::NoAccount(name);
  if (!reason.empty() && IsLastOrganiser(world_, name, audit.time)) {
    return store::LastOrganiser(name);
  }
  found->second.disabled = std::string(reason);
  Log(&world_, audit);
  return absl::OkStatus();
}

absl::Status MemoryStore::SetVersion(absl::string_view name, absl::string_view version,
                                     absl::Time time, store::VersionSource source,
                                     const AuditEntry& audit) {
  MutexLock lock(&mutex_);
  World next = world_;
  const auto found = next.accounts.find(std::string(name));
  if (found == next.accounts.end()) return store::NoAccount(name);
  Account& account = found->second;
  if (source == store::VersionSource::kBot && account.version_kept) return absl::OkStatus();
  if (source == store::VersionSource::kOrganiser && account.role == store::Role::kBot) {
    account.version_kept = true;
  }
  if (account.version != version) {
    if (absl::Status may = store::CheckMayChange(account, time, source); !may.ok()) return may;
    account.version = std::string(version);
    account.version_time = time;
    for (auto& [id, event] : next.events) {
      const Entrant* entrant = FindEntrant(&event.entrants, name);
      if (entrant == nullptr || entrant->presence != Presence::kIn ||
          event.competition.spec.format != schedule::Format::kLadder ||
          event.competition.state >= CompetitionState::kFinishing) {
        continue;
      }
      absl::Status in = BringIn(&event, name, account.version, source);
      if (!in.ok()) return in;
    }
  }
  Log(&next, audit);
  world_ = std::move(next);
  return absl::OkStatus();
}

absl::Status MemoryStore::ReleaseVersion(absl::string_view name, const AuditEntry& audit) {
  MutexLock lock(&mutex_);
  const auto found = world_.accounts.find(std::string(name));
  if (found == world_.accounts.end()) return store::NoAccount(name);
  if (found->second.role != store::Role::kBot) return store::NotABot(name);
  found->second.version_kept = false;
  Log(&world_, audit);
  return absl::OkStatus();
}

absl::Status MemoryStore::RemoveAccount(absl::string_view name, const AuditEntry& audit) {
  MutexLock lock(&mutex_);
  if (world_.accounts.count(std::string(name)) == 0) return store::NoAccount(name);
  for (auto& [id, event] : world_.events) {
    const Entrant* entrant = FindEntrant(&event.entrants, name);
    if (entrant != nullptr && entrant->presence == Presence::kIn &&
        event.competition.state != CompetitionState::kFinished) {
      return absl::FailedPreconditionError(event.competition.spec.name);
    }
  }
  if (IsLastOrganiser(world_, name, audit.time)) return store::LastOrganiser(name);
  world_.accounts.erase(std::string(name));
  Log(&world_, audit);
  return absl::OkStatus();
}

absl::Status MemoryStore::SetBan(const store::Ban& ban, const AuditEntry& audit) {
  MutexLock lock(&mutex_);
  const auto key = std::make_pair(ban.kind, ban.subject);
  if (ban.kind == store::Ban::Kind::kAccount &&
      IsLastOrganiser(world_, ban.subject, ban.create_time)) {
    return store::LastOrganiser(ban.subject);
  }
  for (auto at = world_.bans.begin(); at != world_.bans.end();) {
    const bool over = at->second.until && *at->second.until <= ban.create_time;
    at = over ? world_.bans.erase(at) : std::next(at);
  }
  if (world_.bans.count(key) == 0 && world_.bans.size() >= static_cast<size_t>(limits::kMaxBans)) {
    return absl::ResourceExhaustedError("");
  }
  world_.bans[key] = ban;
  Log(&world_, audit);
  return absl::OkStatus();
}

absl::Status MemoryStore::RemoveBan(store::Ban::Kind kind, absl::string_view subject,
                                    const AuditEntry& audit) {
  MutexLock lock(&mutex_);
  if (world_.bans.erase({kind, std::string(subject)}) == 0) return absl::NotFoundError(subject);
  Log(&world_, audit);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<store::Ban>> MemoryStore::ListBans() {
  MutexLock lock(&mutex_);
  std::vector<store::Ban> bans;
  for (const auto& [key, ban] : world_.bans) bans.push_back(ban);
  return bans;
}

absl::Status MemoryStore::AppendAudit(const AuditEntry& audit) {
  MutexLock lock(&mutex_);
  Log(&world_, audit);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<AuditEntry>> MemoryStore::ListAudit(int64_t before, int limit) {
  MutexLock lock(&mutex_);
  std::vector<AuditEntry> entries;
  for (auto at = world_.audit.rbegin(); at != world_.audit.rend(); ++at) {
    if (before > 0 && at->number >= before) continue;
    if (static_cast<int>(entries.size()) == limit) break;
    entries.push_back(*at);
  }
  return entries;
}

absl::StatusOr<std::vector<AuditEntry>> MemoryStore::ListAuditAfter(int64_t after, int limit) {
  MutexLock lock(&mutex_);
  std::vector<AuditEntry> entries;
  for (const AuditEntry& entry : world_.audit) {
    if (static_cast<int>(entries.size()) == limit) break;
    if (entry.number > after) entries.push_back(entry);
  }
  return entries;
}

void MemoryStore::Log(World* world, const AuditEntry& audit) {
  world->audit.push_back(audit);
  world->audit.back().number = static_cast<int64_t>(world->audit.size());
}

// --- Competitions and their entrants ---

std::string MemoryStore::VersionOf(const World& world, absl::string_view name) {
  const auto found = world.accounts.find(std::string(name));
  return found == world.accounts.end() ? "" : found->second.version;
}

absl::Status MemoryStore::BringIn(Event* event, absl::string_view name, const std::string& version,
                                  store::VersionSource by) {
  Competition& competition = event->competition;
  std::vector<Entrant> own;
  for (const Entrant& entrant : event->entrants) {
    if (entrant.name == name) own.push_back(entrant);
  }
  const int next = static_cast<int>(event->entrants.size());
  const store::Succession to{
      version, competition.season, competition.counted, competition.next_block, next, by};
  const std::vector<Entrant> changed = store::Succeed(own, to);
  if (changed.empty()) return absl::OkStatus();
  if (changed.back().number == next) {
    const int versions = store::CountVersions(event->entrants, to.season);
    absl::Status may = store::CheckMayAdd(own, to, versions, competition.spec.name);
    if (!may.ok()) return may;
    event->entrants.emplace_back();
  }
  for (const Entrant& entrant : changed) {
    event->entrants[static_cast<size_t>(entrant.number)] = entrant;
  }
  ++competition.version;
  return absl::OkStatus();
}

absl::StatusOr<MemoryStore::Event*> MemoryStore::FindEvent(World* world, const CompetitionId& id) {
  const auto found = world->events.find(id);
  if (found == world->events.end()) return store::NoCompetition(id.text());
  return &found->second;
}

Competition MemoryStore::Whole(const Event& event) {
  Competition competition = event.competition;
  for (const Entrant& entrant : event.entrants) {
    competition.spec.entrants.push_back(entrant.name);
    competition.labels.push_back({entrant.version, entrant.season, !entrant.successor});
  }
  return competition;
}

absl::StatusOr<std::vector<Entrant>> MemoryStore::ReadEntrants(const CompetitionId& id) {
  MutexLock lock(&mutex_);
  const absl::StatusOr<Event*> event = FindEvent(&world_, id);
  if (!event.ok()) return event.status();
  return (*event)->entrants;
}

absl::StatusOr<std::vector<store::Entry>> MemoryStore::ListEntries(absl::string_view name,
                                                                   int limit) {
  MutexLock lock(&mutex_);
  std::vector<store::Entry> entries;
  for (auto at = world_.events.rbegin(); at != world_.events.rend(); ++at) {
    const Competition& competition = at->second.competition;
    const std::vector<Entrant>& entrants = at->second.entrants;
    if (FindEntrant(&at->second.entrants, name) == nullptr || limit-- <= 0) continue;
    for (auto entrant = entrants.rbegin(); entrant != entrants.rend(); ++entrant) {
      if (entrant->name != name) continue;
      entries.push_back({competition.id, competition.spec.name, competition.state, *entrant});
    }
  }
  return entries;
}

absl::StatusOr<Entrant> MemoryStore::Join(const CompetitionId& id, absl::string_view name,
                                          const absl::optional<AuditEntry>& audit) {
  MutexLock lock(&mutex_);
  const absl::StatusOr<Event*> event = FindEvent(&world_, id);
  if (!event.ok()) return event.status();
  const int64_t version = (*event)->competition.version;
  absl::StatusOr<Entrant> joined = JoinLocked(id, name);
  const bool changed = joined.ok() && (*event)->competition.version != version;
  if (changed && audit.has_value()) Log(&world_, *audit);
  return joined;
}

absl::StatusOr<Entrant> MemoryStore::JoinLocked(const CompetitionId& id, absl::string_view name) {
  const absl::StatusOr<Event*> event = FindEvent(&world_, id);
  if (!event.ok()) return event.status();
  Competition& competition = (*event)->competition;
  if (competition.state >= CompetitionState::kFinishing) {
    return absl::FailedPreconditionError(competition.spec.name);
  }
  if (FindEntrant(&(*event)->entrants, name) == nullptr) {
    if ((*event)->entrants.size() == limits::kMaxEntrants) {
      return store::TooManyEntrants(competition.spec.name, limits::kMaxEntrants);
    }
    Entrant& entrant = (*event)->entrants.emplace_back();
    entrant.number = static_cast<int>((*event)->entrants.size()) - 1;
    entrant.name = std::string(name);
    entrant.version = VersionOf(world_, name);
    entrant.season = competition.season;
    entrant.rated_from = competition.counted;
    ++competition.version;
  } else {
    const auto account = world_.accounts.find(std::string(name));
    const bool kept = account != world_.accounts.end() && account->second.version_kept;
    absl::Status in = BringIn(*event, name, VersionOf(world_, name),
                              kept ? store::VersionSource::kOrganiser : store::VersionSource::kBot);
    if (!in.ok()) return in;
  }
  return *FindEntrant(&(*event)->entrants, name);
}

absl::StatusOr<Entrant> MemoryStore::TakeOut(const CompetitionId& id, absl::string_view name,
                                             Presence out, absl::string_view reason,
                                             const absl::optional<AuditEntry>& audit) {
  MutexLock lock(&mutex_);
  const absl::StatusOr<Event*> event = FindEvent(&world_, id);
  if (!event.ok()) return event.status();
  const int64_t version = (*event)->competition.version;
  absl::StatusOr<Entrant> taken = TakeOutOf(*event, name, out, reason, absl::nullopt);
  const bool changed = taken.ok() && (*event)->competition.version != version;
  if (changed && audit.has_value()) Log(&world_, *audit);
  return taken;
}

absl::StatusOr<Entrant> MemoryStore::TakeOutByHome(
    const store::Lease& lease, const CompetitionId& id, absl::string_view name, Presence out,
    absl::string_view reason, const absl::optional<store::Suspension>& suspension) {
  MutexLock lock(&mutex_);
  if (absl::Status lasts = Check(world_, lease, clock_.WallNow()); !lasts.ok()) return lasts;
  const absl::StatusOr<Event*> event = FindEvent(&world_, id);
  if (!event.ok()) return event.status();
  if (absl::Status home = CheckHome((*event)->competition, lease); !home.ok()) return home;
  return TakeOutOf(*event, name, out, reason, suspension);
}

absl::StatusOr<Entrant> MemoryStore::BringBackByHome(const store::Lease& lease,
                                                     const CompetitionId& id,
                                                     absl::string_view name) {
  MutexLock lock(&mutex_);
  if (absl::Status lasts = Check(world_, lease, clock_.WallNow()); !lasts.ok()) return lasts;
  const absl::StatusOr<Event*> event = FindEvent(&world_, id);
  if (!event.ok()) return event.status();
  if (absl::Status home = CheckHome((*event)->competition, lease); !home.ok()) return home;
  Entrant* const entrant = FindEntrant(&(*event)->entrants, name);
  if (entrant == nullptr) return store::NoEntrant(id.text(), name);
  if (entrant->presence != Presence::kSetAside) return *entrant;
  return JoinLocked(id, name);
}

absl::StatusOr<Entrant> MemoryStore::TakeOutOf(
    Event* event, absl::string_view name, Presence out, absl::string_view reason,
    const absl::optional<store::Suspension>& suspension) {
  Entrant* entrant = FindEntrant(&event->entrants, name);
  if (entrant == nullptr) return store::NoEntrant(event->competition.spec.name, name);
  if (entrant->presence != Presence::kWithdrawn && entrant->presence != out) {
    if (entrant->presence == Presence::kIn) entrant->out_from = event->competition.next_block;
    entrant->presence = out;
    entrant->reason = std::string(reason);
    if (out == Presence::kSetAside) entrant->suspension = suspension;
    ++event->competition.version;
  }
  return *entrant;
}

}  // namespace referee::test
