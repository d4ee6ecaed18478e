// The calls of SqlStore for entrants of competitions.

#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/store/errors.h"
#include "referee/store/names.h"
#include "referee/store/sql_store.h"
#include "referee/store/succession.h"
#include "referee/store/tables.h"

namespace referee::store {
namespace {

#define REFEREE_ENTRANT_COLUMNS                                                          \
  "entrant.number, entrant.name, mu, sigma, blocks, wins, draws, losses, forfeits, "     \
  "half_points, silences, blocks_begun, presence, reason, out_from, voids, late_voids, " \
  "given_back_ns, time_losses, lost_links, entrant.version, entrant.season, successor, " \
  "predecessor, rated_from, silent_until, suspended_until, suspended_for_ns"

constexpr int kEntrantColumns = 28;  // in REFEREE_ENTRANT_COLUMNS

absl::optional<int> OptionalNumber(const SqlStatement& row, int column) {
  if (row.IsNull(column)) return absl::nullopt;
  return static_cast<int>(row.Int(column));
}

absl::StatusOr<Entrant> ReadEntrant(const SqlDatabase& db, const SqlStatement& row) {
  Entrant entrant;
  entrant.number = static_cast<int>(row.Int(0));
  entrant.name = row.String(1);
  entrant.tally.rating = {row.Real(2), row.Real(3)};
  entrant.tally.blocks = row.Int(4);
  entrant.tally.wins = row.Int(5);
  entrant.tally.draws = row.Int(6);
  entrant.tally.losses = row.Int(7);
  entrant.tally.forfeits = row.Int(8);
  entrant.tally.half_points = row.Int(9);
  entrant.tally.silences = static_cast<int>(row.Int(10));
  entrant.blocks_begun = row.Int(11);
  if (!ReadName(kPresences, row.Text(12), &entrant.presence)) {
    return db.Damaged(absl::StrCat("entrant ", Quoted(entrant.name)));
  }
  entrant.reason = row.String(13);
  entrant.out_from = row.Int(14);
  Conduct& conduct = entrant.tally.conduct;
  conduct.voids = row.Int(15);
  conduct.late_voids = row.Int(16);
  conduct.given_back = absl::Nanoseconds(row.Int(17));
  conduct.time_losses = row.Int(18);
  conduct.lost_links = row.Int(19);
  entrant.version = row.String(20);
  entrant.season = static_cast<int>(row.Int(21));
  entrant.successor = OptionalNumber(row, 22);
  entrant.predecessor = OptionalNumber(row, 23);
  entrant.rated_from = row.Int(24);
  entrant.tally.silent_until = row.Time(25);
  const absl::Duration suspended = absl::Nanoseconds(row.Int(27));
  if (suspended > absl::ZeroDuration()) entrant.suspension = Suspension{row.Time(26), suspended};
  return entrant;
}

absl::StatusOr<std::vector<Entrant>> ReadEntrantRows(SqlDatabase* db, SqlStatement* list) {
  return ReadRows<Entrant>(list, [&](const SqlStatement& row) { return ReadEntrant(*db, row); });
}

// Returns all entrants of a bot, by number.
absl::StatusOr<std::vector<Entrant>> ReadOwn(SqlDatabase* db, int64_t key, absl::string_view name) {
  SqlStatement list =
      db->Prepare("SELECT " REFEREE_ENTRANT_COLUMNS
                  " FROM entrant WHERE name = ? AND competition = ? ORDER BY entrant.number");
  list.Bind(name, key);
  return ReadEntrantRows(db, &list);
}

// Returns all entrants of a competition, by number.
absl::StatusOr<std::vector<Entrant>> ReadAllEntrants(SqlDatabase* db, int64_t key) {
  SqlStatement list = db->Prepare("SELECT " REFEREE_ENTRANT_COLUMNS
                                  " FROM entrant WHERE competition = ? ORDER BY number");
  list.Bind(key);
  return ReadEntrantRows(db, &list);
}

absl::optional<int64_t> Nullable(const absl::optional<int>& number) {
  if (!number) return absl::nullopt;
  return *number;
}

absl::Status InsertEntrant(SqlDatabase* db, int64_t key, const Entrant& entrant) {
  return db->Run(
      "INSERT INTO entrant(competition, number, name, mu, sigma, blocks, wins, draws, losses, "
      "forfeits, half_points, silences, blocks_begun, presence, reason, out_from, voids, "
      "late_voids, given_back_ns, time_losses, lost_links, version, season, predecessor, "
      "rated_from) VALUES(?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0, 0, 0, 'IN', '', 0, 0, 0, 0, 0, 0, ?, ?, "
      "?, ?)",
      key, entrant.number, entrant.name, entrant.tally.rating.mu, entrant.tally.rating.sigma,
      entrant.version, entrant.season, Nullable(entrant.predecessor), entrant.rated_from);
}

// Writes the identity and presence of an entrant.
absl::Status WriteEntrant(SqlDatabase* db, int64_t key, const Entrant& entrant) {
  return db->Run(
      "UPDATE entrant SET version = ?, presence = ?, reason = ?, silences = ?, out_from = ?, "
      "successor = ?, suspended_until = ?, suspended_for_ns = ? WHERE competition = ? AND number = "
      "?",
      entrant.version, NameOf(kPresences, entrant.presence), entrant.reason, entrant.tally.silences,
      entrant.out_from, Nullable(entrant.successor), SuspendedUntil(entrant.suspension),
      SuspendedFor(entrant.suspension), key, entrant.number);
}

struct Version {
  std::string text;
  VersionSource by = VersionSource::kBot;  // who has set it
};

// Returns the version of the account of this name; empty if it has none.
absl::StatusOr<Version> VersionOf(SqlDatabase* db, absl::string_view name) {
  SqlStatement find = db->Prepare("SELECT version, version_kept FROM account WHERE name = ?");
  find.Bind(name);
  const bool found = find.Step();
  if (!find.status().ok()) return find.status();
  if (!found) return Version();
  const bool kept = find.Int(1) != 0;
  return Version{find.String(0), kept ? VersionSource::kOrganiser : VersionSource::kBot};
}

absl::StatusOr<int> NextNumber(SqlDatabase* db, int64_t key) {
  SqlStatement count = db->Prepare("SELECT count(*) FROM entrant WHERE competition = ?");
  count.Bind(key);
  if (!count.Step()) return count.status();
  return static_cast<int>(count.Int(0));
}

absl::StatusOr<Succession> SuccessionIn(SqlDatabase* db, const Head& head, std::string version,
                                        VersionSource by) {
  const absl::StatusOr<int> next = NextNumber(db, head.key);
  if (!next.ok()) return next.status();
  return Succession{std::move(version), head.season, head.counted, head.next_block, *next, by};
}

// Returns CountVersions if CheckMayAdd uses it, else 0.
absl::StatusOr<int> VersionsToCheck(SqlDatabase* db, int64_t key, const Succession& to) {
  if (to.by != VersionSource::kBot) return 0;
  const absl::StatusOr<std::vector<Entrant>> all = ReadAllEntrants(db, key);
  if (!all.ok()) return all.status();
  return CountVersions(*all, to.season);
}

// Enters the bot. Returns its current entrant.
absl::StatusOr<Entrant> BringIn(SqlDatabase* db, Head* head, const std::vector<Entrant>& own,
                                const Succession& to) {
  const std::vector<Entrant> changed = Succeed(own, to);
  if (changed.empty()) {
    for (const Entrant& entrant : own) {
      if (!entrant.successor) return entrant;
    }
    return db->Damaged(
        absl::StrCat("bot ", Quoted(own.front().name), " of competition ", Quoted(head->name)));
  }
  const bool adds = changed.back().number == to.next_number;
  if (adds) {
    const absl::StatusOr<int> versions = VersionsToCheck(db, head->key, to);
    if (!versions.ok()) return versions.status();
    const absl::Status may = CheckMayAdd(own, to, *versions, head->name);
    if (!may.ok()) return may;
  }
  for (const Entrant& entrant : changed) {
    const bool is_new = entrant.number == to.next_number;
    const absl::Status written =
        is_new ? InsertEntrant(db, head->key, entrant) : WriteEntrant(db, head->key, entrant);
    if (!written.ok()) return written;
  }
  ++head->version;
  if (absl::Status written = WriteHead(db, *head); !written.ok()) return written;
  return changed.back();
}

absl::StatusOr<Entrant> AddEntrant(SqlDatabase* db, Head* head, absl::string_view name,
                                   const Succession& to) {
  if (to.next_number >= limits::kMaxEntrants) {
    return TooManyEntrants(head->name, limits::kMaxEntrants);
  }
  Entrant entrant;
  entrant.number = to.next_number;
  entrant.name = std::string(name);
  entrant.version = to.version;
  entrant.season = to.season;
  entrant.rated_from = to.counted;
  absl::Status added = InsertEntrant(db, head->key, entrant);
  if (!added.ok()) return added;
  ++head->version;
  added = WriteHead(db, *head);
  if (!added.ok()) return added;
  return entrant;
}

absl::StatusOr<Entrant> JoinIn(SqlDatabase* db, Head* head, absl::string_view name) {
  if (head->state == CompetitionState::kFinishing || head->state == CompetitionState::kFinished) {
    return absl::FailedPreconditionError(absl::StrCat("competition ", Quoted(head->name), ": is ",
                                                      StateName(head->state),
                                                      "; nobody can join it any more"));
  }
  const absl::StatusOr<std::vector<Entrant>> own = ReadOwn(db, head->key, name);
  if (!own.ok()) return own.status();
  absl::StatusOr<Version> version = VersionOf(db, name);
  if (!version.ok()) return version.status();
  const absl::StatusOr<Succession> to =
      SuccessionIn(db, *head, std::move(version->text), version->by);
  if (!to.ok()) return to.status();
  return own->empty() ? AddEntrant(db, head, name, *to) : BringIn(db, head, *own, *to);
}

// Returns the current entrant of a bot, or NotFound.
absl::StatusOr<Entrant> FindStanding(SqlDatabase* db, const Head& head, absl::string_view name) {
  SqlStatement find =
      db->Prepare("SELECT " REFEREE_ENTRANT_COLUMNS
                  " FROM entrant WHERE name = ? AND competition = ? AND successor IS NULL");
  find.Bind(name, head.key);
  if (find.Step()) return ReadEntrant(*db, find);
  return find.status().ok() ? NoEntrant(head.name, name) : find.status();
}

absl::StatusOr<Entrant> TakeOutIn(SqlDatabase* db, Head* head, absl::string_view name, Presence out,
                                  absl::string_view reason,
                                  const absl::optional<Suspension>& suspension) {
  absl::StatusOr<Entrant> entrant = FindStanding(db, *head, name);
  if (!entrant.ok()) return entrant;
  if (entrant->presence == Presence::kWithdrawn || entrant->presence == out) return entrant;
  if (entrant->presence == Presence::kIn) entrant->out_from = head->next_block;
  entrant->presence = out;
  entrant->reason = std::string(reason);
  if (out == Presence::kSetAside) entrant->suspension = suspension;
  absl::Status set = WriteEntrant(db, head->key, *entrant);
  ++head->version;
  if (set.ok()) set = WriteHead(db, *head);
  if (!set.ok()) return set;
  return entrant;
}

}  // namespace

absl::Time SuspendedUntil(const absl::optional<Suspension>& suspension) {
  return suspension.has_value() ? suspension->until : absl::UnixEpoch();
}

int64_t SuspendedFor(const absl::optional<Suspension>& suspension) {
  return suspension.has_value() ? absl::ToInt64Nanoseconds(suspension->length) : 0;
}

absl::Status InsertFirstEntrants(SqlDatabase* db, int64_t key,
                                 const std::vector<std::string>& names) {
  for (size_t i = 0; i < names.size(); ++i) {
    absl::StatusOr<Version> version = VersionOf(db, names[i]);
    if (!version.ok()) return version.status();
    Entrant entrant;
    entrant.number = static_cast<int>(i);
    entrant.name = names[i];
    entrant.version = std::move(version->text);
    if (absl::Status added = InsertEntrant(db, key, entrant); !added.ok()) return added;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Entry>> SqlStore::ListEntries(absl::string_view name, int limit) {
  return Read([&](SqlDatabase* db) -> absl::StatusOr<std::vector<Entry>> {
    SqlStatement list = db->Prepare(
        "SELECT " REFEREE_ENTRANT_COLUMNS
        ", competition.id, competition.name, competition.state FROM entrant JOIN competition ON "
        "competition.key = entrant.competition WHERE entrant.name = ?1 AND entrant.competition IN "
        "(SELECT entrant.competition FROM entrant JOIN competition ON competition.key = "
        "entrant.competition WHERE entrant.name = ?1 AND successor IS NULL ORDER BY competition.id "
        "DESC LIMIT ?2) ORDER BY competition.id DESC, entrant.number DESC");
    list.Bind(name, limit);
    return ReadRows<Entry>(&list, [&](const SqlStatement& row) -> absl::StatusOr<Entry> {
      absl::StatusOr<Entrant> entrant = ReadEntrant(*db, row);
      if (!entrant.ok()) return entrant.status();
      Entry entry{CompetitionId(row.String(kEntrantColumns)),
                  row.String(kEntrantColumns + 1),
                  {},
                  *std::move(entrant)};
      if (!ReadName(kStates, row.Text(kEntrantColumns + 2), &entry.state)) {
        return db->Damaged(absl::StrCat("competition ", entry.competition.text()));
      }
      return entry;
    });
  });
}

// Calls call(db, &head), and logs it if it has raised the version: repeated calls add one entry.
template <typename Call>
absl::StatusOr<Entrant> SqlStore::AuditedIfChanged(const CompetitionId& id,
                                                   const absl::optional<AuditEntry>& audit,
                                                   Call call) {
  return Write(Writes::kRecords, [&](SqlDatabase* db) -> absl::StatusOr<Entrant> {
    absl::StatusOr<Head> head = ReadHead(db, id);
    if (!head.ok()) return head.status();
    const int64_t before = head->version;
    const absl::StatusOr<Entrant> entrant = call(db, &*head);
    if (!entrant.ok() || !audit || head->version == before) return entrant;
    const absl::Status logged = LogAudit(db, *audit);
    if (!logged.ok()) return logged;
    return entrant;
  });
}

absl::StatusOr<std::vector<Entrant>> SqlStore::ReadEntrants(const CompetitionId& id) {
  return ReadOf(id,
                [](SqlDatabase* db, const Head& head) { return ReadAllEntrants(db, head.key); });
}

absl::StatusOr<Entrant> SqlStore::Join(const CompetitionId& id, absl::string_view name,
                                       const absl::optional<AuditEntry>& audit) {
  return AuditedIfChanged(id, audit,
                          [&](SqlDatabase* db, Head* head) { return JoinIn(db, head, name); });
}

absl::StatusOr<Entrant> SqlStore::TakeOut(const CompetitionId& id, absl::string_view name,
                                          Presence out, absl::string_view reason,
                                          const absl::optional<AuditEntry>& audit) {
  return AuditedIfChanged(id, audit, [&](SqlDatabase* db, Head* head) {
    return TakeOutIn(db, head, name, out, reason, absl::nullopt);
  });
}

template <typename Call>
absl::StatusOr<Entrant> SqlStore::ByHome(const Lease& lease, const CompetitionId& id, Call call) {
  return WriteUnder(Writes::kRecords, lease,
                    [&](SqlDatabase* db, absl::Time) -> absl::StatusOr<Entrant> {
                      absl::StatusOr<Head> head = ReadHead(db, id);
                      if (!head.ok()) return head.status();
                      if (head->home_term != lease.term)
                        return HomeIsAnother(id.text(), lease.owner);
                      return call(db, &*head);
                    });
}

absl::StatusOr<Entrant> SqlStore::TakeOutByHome(const Lease& lease, const CompetitionId& id,
                                                absl::string_view name, Presence out,
                                                absl::string_view reason,
                                                const absl::optional<Suspension>& suspension) {
  return ByHome(lease, id, [&](SqlDatabase* db, Head* head) {
    return TakeOutIn(db, head, name, out, reason, suspension);
  });
}

absl::StatusOr<Entrant> SqlStore::BringBackByHome(const Lease& lease, const CompetitionId& id,
                                                  absl::string_view name) {
  return ByHome(lease, id, [&](SqlDatabase* db, Head* head) -> absl::StatusOr<Entrant> {
    const absl::StatusOr<Entrant> entrant = FindStanding(db, *head, name);
    const bool is_out = entrant.ok() && entrant->presence == Presence::kSetAside;
    return is_out ? JoinIn(db, head, name) : entrant;
  });
}

absl::Status SetVersionInLadders(SqlDatabase* db, absl::string_view name, absl::string_view version,
                                 VersionSource source) {
  SqlStatement list = db->Prepare(
      "SELECT competition.id FROM entrant JOIN competition ON competition.key = "
      "entrant.competition WHERE entrant.name = ? AND successor IS NULL AND presence = 'IN' AND "
      "format = 'LADDER' AND state IN ('NEW', 'RUNNING', 'PAUSED') ORDER BY competition.id");
  list.Bind(name);
  std::vector<CompetitionId> ladders;
  while (list.Step()) ladders.emplace_back(list.String(0));
  if (!list.status().ok()) return list.status();
  for (const CompetitionId& id : ladders) {
    absl::StatusOr<Head> head = ReadHead(db, id);
    if (!head.ok()) return head.status();
    const absl::StatusOr<std::vector<Entrant>> own = ReadOwn(db, head->key, name);
    if (!own.ok()) return own.status();
    const absl::StatusOr<Succession> to = SuccessionIn(db, *head, std::string(version), source);
    if (!to.ok()) return to.status();
    const absl::StatusOr<Entrant> now = BringIn(db, &*head, *own, *to);
    if (!now.ok()) return now.status();
  }
  return absl::OkStatus();
}

absl::StatusOr<Competition> SqlStore::BeginSeason(const CompetitionId& id,
                                                  absl::string_view request_id, absl::Time time,
                                                  const absl::optional<AuditEntry>& audit) {
  return Audited(audit, [&](SqlDatabase* db) -> absl::StatusOr<Competition> {
    absl::StatusOr<Head> head = ReadHead(db, id);
    if (!head.ok()) return head.status();
    SqlStatement repeats = db->Prepare(
        "SELECT 1 FROM competition WHERE key = ?1 AND season_request_id = ?2 AND ?2 <> ''");
    repeats.Bind(head->key, request_id);
    if (repeats.Step()) return ReadWithoutEntrants(db, id);
    if (!repeats.status().ok()) return repeats.status();
    if (head->state != CompetitionState::kRunning && head->state != CompetitionState::kPaused) {
      return absl::FailedPreconditionError(
          absl::StrCat("competition ", Quoted(head->name), ": is ", StateName(head->state),
                       "; a season begins in one that is RUNNING or PAUSED"));
    }
    const absl::StatusOr<std::vector<Entrant>> entrants = ReadAllEntrants(db, head->key);
    if (!entrants.ok()) return entrants.status();
    ++head->season;
    for (const Entrant& entrant : *entrants) {
      if (entrant.presence != Presence::kIn) continue;
      const absl::StatusOr<Succession> to =
          SuccessionIn(db, *head, entrant.version, VersionSource::kOrganiser);
      if (!to.ok()) return to.status();
      const absl::StatusOr<Entrant> now = BringIn(db, &*head, {entrant}, *to);
      if (!now.ok()) return now.status();
    }
    const absl::Status set = db->Run(
        "UPDATE competition SET version = ?, season = ?, season_time = ?, season_block = ?, "
        "season_request_id = ? WHERE key = ?",
        head->version + 1, head->season, time, head->next_block, request_id, head->key);
    if (!set.ok()) return set;
    return ReadWithoutEntrants(db, id);
  });
}

}  // namespace referee::store
