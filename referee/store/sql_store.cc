#include "referee/store/sql_store.h"

#include <algorithm>
#include <utility>

#include "referee/store/account_table.h"
#include "referee/store/block_table.h"
#include "referee/store/competition_table.h"
#include "referee/store/entrant_table.h"
#include "referee/store/errors.h"
#include "referee/store/lease_table.h"

namespace referee::store {
namespace {

const absl::Status& StatusIn(const absl::Status& status) { return status; }
template <typename T>
const absl::Status& StatusIn(const absl::StatusOr<T>& result) {
  return result.status();
}

}  // namespace

template <typename Call>
auto SqlStore::Write(Writes writes, Call call) -> decltype(call(nullptr)) {
  decltype(call(nullptr)) result = absl::UnknownError("");
  absl::Status done = InWrite(writes, [&](SqlDatabase* db) {
    result = call(db);
    return StatusIn(result);
  });
  if (!done.ok()) return done;
  return result;
}

template <typename Call>
auto SqlStore::Audited(const absl::optional<AuditEntry>& audit, Call call)
    -> decltype(call(nullptr)) {
  return Write(Writes::kRecords, [&](SqlDatabase* db) -> decltype(call(nullptr)) {
    auto result = call(db);
    if (!StatusIn(result).ok() || !audit.has_value()) return result;
    const absl::Status logged = account_table::AppendAudit(db, *audit);
    if (!logged.ok()) return logged;
    return result;
  });
}

template <typename Call>
absl::StatusOr<Entrant> SqlStore::AuditedIfChanged(const CompetitionId& id,
                                                   const absl::optional<AuditEntry>& audit,
                                                   Call call) {
  return Write(Writes::kRecords, [&](SqlDatabase* db) -> absl::StatusOr<Entrant> {
    const absl::StatusOr<Head> before = competition_table::ReadHead(db, id);
    if (!before.ok()) return before.status();
    const absl::StatusOr<Entrant> entrant = call(db);
    if (!entrant.ok() || !audit) return entrant;
    const absl::StatusOr<Head> after = competition_table::ReadHead(db, id);
    if (!after.ok()) return after.status();
    if (after->version == before->version) return entrant;
    const absl::Status logged = account_table::AppendAudit(db, *audit);
    if (!logged.ok()) return logged;
    return entrant;
  });
}

template <typename Call>
auto SqlStore::Read(Call call) -> decltype(call(nullptr)) {
  decltype(call(nullptr)) result = absl::UnknownError("");
  absl::Status done = InRead(true, [&](SqlDatabase* db) {
    result = call(db);
    return StatusIn(result);
  });
  if (!done.ok()) return done;
  return result;
}

// --- Accounts ---

absl::Status SqlStore::AddAccount(const Account& account, const AuditEntry& audit) {
  return Audited(audit, [&](SqlDatabase* db) { return account_table::Add(db, account); });
}

absl::StatusOr<Account> SqlStore::GetAccount(absl::string_view name) {
  return Read([&](SqlDatabase* db) { return account_table::Get(db, name); });
}

absl::StatusOr<Account> SqlStore::FindToken(const dice::Bytes32& token_hash) {
  return Read([&](SqlDatabase* db) { return account_table::FindToken(db, token_hash); });
}

absl::StatusOr<std::vector<Account>> SqlStore::ListAccounts(absl::string_view after, int limit) {
  return Read([&](SqlDatabase* db) { return account_table::List(db, after, limit); });
}

absl::Status SqlStore::SetToken(absl::string_view name, const dice::Bytes32& token_hash,
                                absl::Time token_time, absl::optional<absl::Duration> lifetime,
                                const AuditEntry& audit) {
  return Audited(audit, [&](SqlDatabase* db) {
    return account_table::SetToken(db, name, token_hash, token_time, lifetime);
  });
}

absl::Status SqlStore::RenewToken(absl::string_view name, const dice::Bytes32& from_hash,
                                  const dice::Bytes32& token_hash, absl::Time token_time,
                                  absl::Time former_until, const AuditEntry& audit) {
  return Audited(audit, [&](SqlDatabase* db) {
    return account_table::RenewToken(db, name, from_hash, token_hash, token_time, former_until);
  });
}

absl::Status SqlStore::NoteUses(absl::Span<const std::pair<std::string, absl::Time>> uses) {
  return Write(Writes::kRecords,
               [&](SqlDatabase* db) { return account_table::NoteUses(db, uses); });
}

absl::Status SqlStore::SetDisabled(absl::string_view name, absl::string_view reason,
                                   const AuditEntry& audit) {
  return Audited(audit, [&](SqlDatabase* db) {
    return account_table::SetDisabled(db, name, reason, audit.time);
  });
}

absl::Status SqlStore::SetVersion(absl::string_view name, absl::string_view version,
                                  absl::Time time, VersionSource source, const AuditEntry& audit) {
  if (source == VersionSource::kBot) {
    const absl::StatusOr<Account> account = GetAccount(name);
    if (account.ok() && account->version_kept) return absl::OkStatus();
  }
  return Audited(audit, [&](SqlDatabase* db) -> absl::Status {
    const absl::StatusOr<bool> changed = account_table::SetVersion(db, name, version, time, source);
    if (!changed.ok() || !*changed) return changed.status();
    return entrant_table::SetVersion(db, name, version, source);
  });
}

absl::Status SqlStore::ReleaseVersion(absl::string_view name, const AuditEntry& audit) {
  return Audited(audit, [&](SqlDatabase* db) { return account_table::ReleaseVersion(db, name); });
}

absl::Status SqlStore::RemoveAccount(absl::string_view name, const AuditEntry& audit) {
  return Audited(audit,
                 [&](SqlDatabase* db) { return account_table::Remove(db, name, audit.time); });
}

absl::Status SqlStore::SetBan(const Ban& ban, const AuditEntry& audit) {
  return Audited(audit, [&](SqlDatabase* db) { return account_table::SetBan(db, ban); });
}

absl::Status SqlStore::RemoveBan(Ban::Kind kind, absl::string_view subject,
                                 const AuditEntry& audit) {
  return Audited(audit,
                 [&](SqlDatabase* db) { return account_table::RemoveBan(db, kind, subject); });
}

absl::StatusOr<std::vector<Ban>> SqlStore::ListBans() {
  return Read([](SqlDatabase* db) { return account_table::ListBans(db); });
}

absl::Status SqlStore::AppendAudit(const AuditEntry& audit) {
  return Audited(audit, [](SqlDatabase*) { return absl::OkStatus(); });
}

absl::StatusOr<std::vector<AuditEntry>> SqlStore::ListAudit(int64_t before, int limit) {
  return Read([&](SqlDatabase* db) { return account_table::ListAudit(db, before, limit); });
}

absl::StatusOr<std::vector<AuditEntry>> SqlStore::ListAuditAfter(int64_t after, int limit) {
  return Read([&](SqlDatabase* db) { return account_table::ListAuditAfter(db, after, limit); });
}

// --- Competitions ---

absl::StatusOr<Competition> SqlStore::CreateCompetition(const Competition& competition,
                                                        const absl::optional<AuditEntry>& audit) {
  return Audited(audit,
                 [&](SqlDatabase* db) { return competition_table::Create(db, competition); });
}

absl::StatusOr<Competition> SqlStore::GetCompetition(const CompetitionId& id) {
  return Read([&](SqlDatabase* db) { return competition_table::Get(db, id); });
}

absl::StatusOr<Competition> SqlStore::FindCompetition(absl::string_view name) {
  return Read([&](SqlDatabase* db) { return competition_table::Find(db, name); });
}

absl::StatusOr<std::vector<Competition>> SqlStore::ListCompetitions(const CompetitionId& before,
                                                                    int limit) {
  return Read([&](SqlDatabase* db) { return competition_table::List(db, before, limit); });
}

absl::StatusOr<std::vector<Competition>> SqlStore::ListCompetitionsOf(absl::string_view bot,
                                                                      const CompetitionId& before,
                                                                      int limit) {
  return Read([&](SqlDatabase* db) { return competition_table::ListOf(db, bot, before, limit); });
}

absl::StatusOr<std::vector<Competition>> SqlStore::ListUnfinished() {
  return Read([&](SqlDatabase* db) { return competition_table::ListUnfinished(db); });
}

absl::StatusOr<Competition> SqlStore::SetState(const CompetitionId& id, CompetitionState from,
                                               CompetitionState to, absl::Time time,
                                               const absl::optional<AuditEntry>& audit) {
  return Audited(
      audit, [&](SqlDatabase* db) { return competition_table::SetState(db, id, from, to, time); });
}

absl::Status SqlStore::BeginLife(absl::string_view life) {
  return Write(Writes::kRecords,
               [&](SqlDatabase* db) { return competition_table::BeginLife(db, life); });
}

absl::StatusOr<Competition> SqlStore::UpdateSpec(const CompetitionId& id, int64_t version,
                                                 const schedule::Spec& spec,
                                                 const absl::optional<AuditEntry>& audit) {
  return Audited(
      audit, [&](SqlDatabase* db) { return competition_table::UpdateSpec(db, id, version, spec); });
}

absl::Status SqlStore::RemoveCompetition(const CompetitionId& id,
                                         const absl::optional<AuditEntry>& audit) {
  return Audited(audit, [&](SqlDatabase* db) { return competition_table::Remove(db, id); });
}

absl::StatusOr<std::vector<std::string>> SqlStore::ReadPositions(const CompetitionId& id) {
  return Read([&](SqlDatabase* db) { return competition_table::ReadPositions(db, id); });
}

absl::StatusOr<std::vector<Entrant>> SqlStore::ReadEntrants(const CompetitionId& id) {
  return Read([&](SqlDatabase* db) { return entrant_table::Read(db, id); });
}

absl::StatusOr<std::vector<Entry>> SqlStore::ListEntries(absl::string_view name, int limit) {
  return Read([&](SqlDatabase* db) { return entrant_table::ListEntries(db, name, limit); });
}

absl::StatusOr<Entrant> SqlStore::Join(const CompetitionId& id, absl::string_view name,
                                       const absl::optional<AuditEntry>& audit) {
  return AuditedIfChanged(id, audit,
                          [&](SqlDatabase* db) { return entrant_table::Join(db, id, name); });
}

absl::StatusOr<Entrant> SqlStore::TakeOut(const CompetitionId& id, absl::string_view name,
                                          Presence out, absl::string_view reason,
                                          const absl::optional<AuditEntry>& audit) {
  return AuditedIfChanged(id, audit, [&](SqlDatabase* db) {
    return entrant_table::TakeOut(db, id, name, out, reason);
  });
}

absl::Status SqlStore::CheckHome(SqlDatabase* db, const Lease& lease, const CompetitionId& id) {
  const absl::StatusOr<absl::Time> now = Now(db);
  if (!now.ok()) return now.status();
  if (absl::Status s = lease_table::Check(db, lease, *now); !s.ok()) return s;
  const absl::StatusOr<Head> head = competition_table::ReadHead(db, id);
  if (!head.ok()) return head.status();
  if (head->home_term != lease.term) return HomeIsAnother(id.text(), lease.owner);
  return absl::OkStatus();
}

absl::StatusOr<Entrant> SqlStore::TakeOutByHome(const Lease& lease, const CompetitionId& id,
                                                absl::string_view name, Presence out,
                                                absl::string_view reason,
                                                const absl::optional<Suspension>& suspension) {
  return Write(Writes::kRecords, [&](SqlDatabase* db) -> absl::StatusOr<Entrant> {
    if (absl::Status home = CheckHome(db, lease, id); !home.ok()) return home;
    return entrant_table::TakeOut(db, id, name, out, reason, suspension);
  });
}

absl::StatusOr<Entrant> SqlStore::BringBackByHome(const Lease& lease, const CompetitionId& id,
                                                  absl::string_view name) {
  return Write(Writes::kRecords, [&](SqlDatabase* db) -> absl::StatusOr<Entrant> {
    if (absl::Status home = CheckHome(db, lease, id); !home.ok()) return home;
    return entrant_table::BringBack(db, id, name);
  });
}

absl::StatusOr<Competition> SqlStore::BeginSeason(const CompetitionId& id,
                                                  absl::string_view request_id, absl::Time time,
                                                  const absl::optional<AuditEntry>& audit) {
  return Audited(
      audit, [&](SqlDatabase* db) { return entrant_table::BeginSeason(db, id, request_id, time); });
}

// --- Blocks ---

absl::StatusOr<int64_t> SqlStore::RenewLease(absl::string_view owner, absl::Duration ttl) {
  return Write(Writes::kBlocks, [&](SqlDatabase* db) -> absl::StatusOr<int64_t> {
    const absl::StatusOr<absl::Time> now = Now(db);
    if (!now.ok()) return now.status();
    return lease_table::Renew(db, owner, *now + ttl);
  });
}

absl::StatusOr<std::vector<Block>> SqlStore::ClaimExpired(const Lease& lease) {
  return Write(Writes::kClaim, [&](SqlDatabase* db) -> absl::StatusOr<std::vector<Block>> {
    const absl::StatusOr<absl::Time> now = Now(db);
    if (!now.ok()) return now.status();
    if (absl::Status s = lease_table::Check(db, lease, *now); !s.ok()) return s;
    if (absl::Status s = lease_table::EndLapsed(db, *now); !s.ok()) return s;
    return block_table::ClaimLeft(db, lease, *now);
  });
}

absl::StatusOr<std::vector<Block>> SqlStore::TakeOver(const Lease& lease,
                                                      absl::Span<const std::string> owners) {
  return Write(Writes::kClaim, [&](SqlDatabase* db) -> absl::StatusOr<std::vector<Block>> {
    const absl::StatusOr<absl::Time> now = Now(db);
    if (!now.ok()) return now.status();
    if (absl::Status s = lease_table::Check(db, lease, *now); !s.ok()) return s;
    if (absl::Status s = lease_table::MoveHomes(db, lease, owners); !s.ok()) return s;
    if (absl::Status s = lease_table::End(db, owners); !s.ok()) return s;
    return block_table::TakeOver(db, lease.owner, owners);
  });
}

absl::Status SqlStore::Announce(const Lease& lease, absl::string_view address, bool draining) {
  return Write(Writes::kBlocks, [&](SqlDatabase* db) -> absl::Status {
    const absl::StatusOr<absl::Time> now = Now(db);
    if (!now.ok()) return now.status();
    if (absl::Status s = lease_table::Check(db, lease, *now); !s.ok()) return s;
    return lease_table::Announce(db, lease, address, draining);
  });
}

absl::Status SqlStore::AskToDrain(absl::string_view owner, const AuditEntry& audit) {
  return Audited(audit, [&](SqlDatabase* db) -> absl::Status {
    const absl::StatusOr<absl::Time> now = Now(db);
    return now.ok() ? lease_table::AskToDrain(db, owner, *now) : now.status();
  });
}

absl::StatusOr<std::vector<Daemon>> SqlStore::ListDaemons() {
  return Read([&](SqlDatabase* db) -> absl::StatusOr<std::vector<Daemon>> {
    const absl::StatusOr<absl::Time> now = Now(db);
    if (!now.ok()) return now.status();
    return lease_table::ListDaemons(db, *now);
  });
}

absl::StatusOr<std::vector<CompetitionId>> SqlStore::TakeHomes(
    const Lease& lease, absl::Span<const CompetitionId> ids) {
  // By order of ids, as Apply takes their rows.
  std::vector<CompetitionId> wanted(ids.begin(), ids.end());
  std::sort(wanted.begin(), wanted.end());
  return Write(Writes::kClaim, [&](SqlDatabase* db) -> absl::StatusOr<std::vector<CompetitionId>> {
    const absl::StatusOr<absl::Time> now = Now(db);
    if (!now.ok()) return now.status();
    if (absl::Status s = lease_table::Check(db, lease, *now); !s.ok()) return s;
    std::vector<CompetitionId> taken;
    for (const CompetitionId& id : wanted) {
      const absl::StatusOr<Head> head = competition_table::ReadHead(db, id);
      if (absl::IsNotFound(head.status())) continue;
      if (!head.ok()) return head.status();
      if (head->home_term != lease.term) {
        const absl::StatusOr<bool> stays = lease_table::Stays(db, head->home_term, *now);
        if (!stays.ok()) return stays.status();
        if (*stays) continue;
        const absl::Status set = competition_table::SetHome(db, *head, lease.term);
        if (!set.ok()) return set;
      }
      taken.push_back(id);
    }
    return taken;
  });
}

absl::Status SqlStore::OfferHelp(const Lease& lease, const CompetitionId& id, const Help& help) {
  return Write(Writes::kBlocks, [&](SqlDatabase* db) -> absl::Status {
    const absl::StatusOr<absl::Time> now = Now(db);
    if (!now.ok()) return now.status();
    if (absl::Status s = lease_table::Check(db, lease, *now); !s.ok()) return s;
    const absl::StatusOr<Head> head = competition_table::ReadHead(db, id);
    if (!head.ok()) return head.status();
    return lease_table::OfferHelp(db, lease, head->key, help);
  });
}

absl::StatusOr<std::vector<Help>> SqlStore::ListHelp(const CompetitionId& id) {
  return Read([&](SqlDatabase* db) -> absl::StatusOr<std::vector<Help>> {
    const absl::StatusOr<absl::Time> now = Now(db);
    if (!now.ok()) return now.status();
    const absl::StatusOr<Head> head = competition_table::ReadHead(db, id);
    if (!head.ok()) return head.status();
    return lease_table::ListHelp(db, head->key, *now);
  });
}

absl::StatusOr<std::vector<LeaseHolder>> SqlStore::ListLeaseHolders() {
  return Read([&](SqlDatabase* db) -> absl::StatusOr<std::vector<LeaseHolder>> {
    const absl::StatusOr<absl::Time> now = Now(db);
    if (!now.ok()) return now.status();
    return lease_table::ListHolders(db, *now);
  });
}

absl::StatusOr<std::vector<Block>> SqlStore::ListOpenBlocks(const CompetitionId& id) {
  return Read([&](SqlDatabase* db) { return block_table::ListOpen(db, id); });
}

absl::StatusOr<Block> SqlStore::GetBlock(const CompetitionId& id, int64_t number) {
  return Read([&](SqlDatabase* db) { return block_table::Get(db, id, number); });
}

absl::StatusOr<std::vector<Block>> SqlStore::ListBlocks(const CompetitionId& id, int64_t from,
                                                        int limit, absl::optional<int> entrant) {
  return Read([&](SqlDatabase* db) { return block_table::List(db, id, from, limit, entrant); });
}

absl::StatusOr<std::vector<Block>> SqlStore::ListBlocksBelow(const CompetitionId& id, int64_t below,
                                                             int limit,
                                                             absl::optional<int> entrant) {
  return Read(
      [&](SqlDatabase* db) { return block_table::ListBelow(db, id, below, limit, entrant); });
}

absl::StatusOr<std::vector<PairTotal>> SqlStore::ReadPairTotals(const CompetitionId& id) {
  return Read([&](SqlDatabase* db) { return block_table::ReadPairTotals(db, id); });
}

absl::StatusOr<std::vector<PairTotal>> SqlStore::ListPairTotals(const CompetitionId& id,
                                                                std::pair<int, int> from, int limit,
                                                                absl::optional<int> entrant) {
  return Read(
      [&](SqlDatabase* db) { return block_table::ListPairTotals(db, id, from, limit, entrant); });
}

absl::Status SqlStore::ReadOutcomes(
    const CompetitionId& id, int64_t from, int64_t to,
    absl::FunctionRef<bool(int64_t number, const rating::BlockOutcome& outcome)> take) {
  // Once: what was taken cannot be given back.
  return InRead(false,
                [&](SqlDatabase* db) { return block_table::ReadOutcomes(db, id, from, to, take); });
}

}  // namespace referee::store
