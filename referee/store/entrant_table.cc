#include "referee/store/entrant_table.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/store/errors.h"
#include "referee/store/names.h"
#include "referee/store/succession.h"

namespace referee::store::entrant_table {
namespace {

using competition_table::ReadHead;
using competition_table::WriteHead;

#define REFEREE_ENTRANT_COLUMNS                                                          \
  "entrant.number, entrant.name, mu, sigma, blocks, wins, draws, losses, forfeits, "     \
  "half_points, silences, blocks_begun, presence, reason, out_from, voids, late_voids, " \
  "given_back_ns, time_losses, lost_links, entrant.version, entrant.season, successor, " \
  "predecessor, rated_from, silent_until, suspended_until, suspended_for_ns"

constexpr int kEntrantColumns = 28;  // of these

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

absl::StatusOr<std::vector<Entrant>> ReadList(SqlDatabase* db, SqlStatement* list) {
  std::vector<Entrant> entrants;
  while (list->Step()) {
    absl::StatusOr<Entrant> entrant = ReadEntrant(*db, *list);
    if (!entrant.ok()) return entrant.status();
    entrants.push_back(*std::move(entrant));
  }
  if (!list->status().ok()) return list->status();
  return entrants;
}

// All that a bot has, by number.
absl::StatusOr<std::vector<Entrant>> ReadOwn(SqlDatabase* db, int64_t key, absl::string_view name) {
  SqlStatement list =
      db->Prepare("SELECT " REFEREE_ENTRANT_COLUMNS
                  " FROM entrant WHERE name = ? AND competition = ? ORDER BY entrant.number");
  list.Bind(name, key);
  return ReadList(db, &list);
}

absl::optional<int64_t> Nullable(const absl::optional<int>& number) {
  if (!number) return absl::nullopt;
  return *number;
}

absl::Status Insert(SqlDatabase* db, int64_t key, const Entrant& entrant) {
  return db->Run(
      "INSERT INTO entrant(competition, number, name, mu, sigma, blocks, wins, draws, losses, "
      "forfeits, half_points, silences, blocks_begun, presence, reason, out_from, voids, "
      "late_voids, given_back_ns, time_losses, lost_links, version, season, predecessor, "
      "rated_from) VALUES(?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0, 0, 0, 'IN', '', 0, 0, 0, 0, 0, 0, ?, ?, "
      "?, ?)",
      key, entrant.number, entrant.name, entrant.tally.rating.mu, entrant.tally.rating.sigma,
      entrant.version, entrant.season, Nullable(entrant.predecessor), entrant.rated_from);
}

// Writes who it is and whether it is in.
absl::Status Write(SqlDatabase* db, int64_t key, const Entrant& entrant) {
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
  VersionSource by = VersionSource::kBot;  // whose word it is
};

// The version that the account of this name has; empty if there is none.
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

// CountVersions, where CheckMayAdd looks at it.
absl::StatusOr<int> VersionsToCheck(SqlDatabase* db, const CompetitionId& id,
                                    const Succession& to) {
  if (to.by != VersionSource::kBot) return 0;
  const absl::StatusOr<std::vector<Entrant>> all = Read(db, id);
  if (!all.ok()) return all.status();
  return CountVersions(*all, to.season);
}

// Makes the bot be in. Returns the entrant that stands for it then.
absl::StatusOr<Entrant> BringIn(SqlDatabase* db, const CompetitionId& id, Head* head,
                                const std::vector<Entrant>& own, const Succession& to) {
  const std::vector<Entrant> changed = Succeed(own, to);
  if (changed.empty()) {
    for (const Entrant& entrant : own) {
      if (!entrant.successor) return entrant;
    }
    return db->Damaged(
        absl::StrCat("bot ", Quoted(own.front().name), " of competition ", id.text()));
  }
  const bool adds = changed.back().number == to.next_number;
  if (adds) {
    const absl::StatusOr<int> versions = VersionsToCheck(db, id, to);
    if (!versions.ok()) return versions.status();
    const absl::Status may = CheckMayAdd(own, to, *versions, head->name);
    if (!may.ok()) return may;
  }
  for (const Entrant& entrant : changed) {
    const bool is_new = entrant.number == to.next_number;
    const absl::Status written =
        is_new ? Insert(db, head->key, entrant) : Write(db, head->key, entrant);
    if (!written.ok()) return written;
  }
  ++head->version;
  if (absl::Status written = WriteHead(db, *head); !written.ok()) return written;
  return changed.back();
}

absl::StatusOr<Entrant> Add(SqlDatabase* db, Head* head, absl::string_view name,
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
  absl::Status added = Insert(db, head->key, entrant);
  if (!added.ok()) return added;
  ++head->version;
  added = WriteHead(db, *head);
  if (!added.ok()) return added;
  return entrant;
}

}  // namespace

absl::Time SuspendedUntil(const absl::optional<Suspension>& suspension) {
  return suspension.has_value() ? suspension->until : absl::UnixEpoch();
}

int64_t SuspendedFor(const absl::optional<Suspension>& suspension) {
  return suspension.has_value() ? absl::ToInt64Nanoseconds(suspension->length) : 0;
}

absl::Status InsertFirst(SqlDatabase* db, int64_t key, const std::vector<std::string>& names) {
  for (size_t i = 0; i < names.size(); ++i) {
    absl::StatusOr<Version> version = VersionOf(db, names[i]);
    if (!version.ok()) return version.status();
    Entrant entrant;
    entrant.number = static_cast<int>(i);
    entrant.name = names[i];
    entrant.version = std::move(version->text);
    if (absl::Status added = Insert(db, key, entrant); !added.ok()) return added;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Entrant>> Read(SqlDatabase* db, const CompetitionId& id) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  SqlStatement list = db->Prepare("SELECT " REFEREE_ENTRANT_COLUMNS
                                  " FROM entrant WHERE competition = ? ORDER BY number");
  list.Bind(head->key);
  return ReadList(db, &list);
}

absl::StatusOr<std::vector<Entry>> ListEntries(SqlDatabase* db, absl::string_view name, int limit) {
  SqlStatement list = db->Prepare(
      "SELECT " REFEREE_ENTRANT_COLUMNS
      ", competition.id, competition.name, competition.state FROM entrant JOIN competition ON "
      "competition.key = entrant.competition WHERE entrant.name = ?1 AND entrant.competition IN "
      "(SELECT entrant.competition FROM entrant JOIN competition ON competition.key = "
      "entrant.competition WHERE entrant.name = ?1 AND successor IS NULL ORDER BY competition.id "
      "DESC LIMIT ?2) ORDER BY competition.id DESC, entrant.number DESC");
  list.Bind(name, limit);
  std::vector<Entry> entries;
  while (list.Step()) {
    absl::StatusOr<Entrant> entrant = ReadEntrant(*db, list);
    if (!entrant.ok()) return entrant.status();
    Entry entry{CompetitionId(list.String(kEntrantColumns)),
                list.String(kEntrantColumns + 1),
                {},
                *std::move(entrant)};
    if (!ReadName(kStates, list.Text(kEntrantColumns + 2), &entry.state)) {
      return db->Damaged(absl::StrCat("competition ", entry.competition.text()));
    }
    entries.push_back(std::move(entry));
  }
  if (!list.status().ok()) return list.status();
  return entries;
}

absl::StatusOr<Entrant> Join(SqlDatabase* db, const CompetitionId& id, absl::string_view name) {
  absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  if (head->state == CompetitionState::kFinishing || head->state == CompetitionState::kFinished) {
    return CompetitionClosed(head->name, StateName(head->state));
  }
  const absl::StatusOr<std::vector<Entrant>> own = ReadOwn(db, head->key, name);
  if (!own.ok()) return own.status();
  absl::StatusOr<Version> version = VersionOf(db, name);
  if (!version.ok()) return version.status();
  const absl::StatusOr<Succession> to =
      SuccessionIn(db, *head, std::move(version->text), version->by);
  if (!to.ok()) return to.status();
  if (own->empty()) return Add(db, &*head, name, *to);
  return BringIn(db, id, &*head, *own, *to);
}

absl::StatusOr<Entrant> BringBack(SqlDatabase* db, const CompetitionId& id,
                                  absl::string_view name) {
  const absl::StatusOr<std::vector<Entrant>> entrants = Read(db, id);
  if (!entrants.ok()) return entrants.status();
  for (const Entrant& entrant : *entrants) {
    if (entrant.name != name || entrant.successor) continue;
    return entrant.presence == Presence::kSetAside ? Join(db, id, name) : entrant;
  }
  const absl::StatusOr<Head> head = ReadHead(db, id);
  return head.ok() ? NoEntrant(head->name, name) : head.status();
}

absl::StatusOr<Entrant> TakeOut(SqlDatabase* db, const CompetitionId& id, absl::string_view name,
                                Presence out, absl::string_view reason,
                                const absl::optional<Suspension>& suspension) {
  absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  SqlStatement find =
      db->Prepare("SELECT " REFEREE_ENTRANT_COLUMNS
                  " FROM entrant WHERE name = ? AND competition = ? AND successor IS "
                  "NULL");
  find.Bind(name, head->key);
  absl::StatusOr<std::vector<Entrant>> found = ReadList(db, &find);
  if (!found.ok()) return found.status();
  if (found->empty()) return NoEntrant(head->name, name);
  Entrant& entrant = found->front();
  if (entrant.presence == Presence::kWithdrawn || entrant.presence == out) return entrant;
  if (entrant.presence == Presence::kIn) entrant.out_from = head->next_block;
  entrant.presence = out;
  entrant.reason = std::string(reason);
  if (out == Presence::kSetAside) entrant.suspension = suspension;
  absl::Status set = Write(db, head->key, entrant);
  if (!set.ok()) return set;
  ++head->version;
  set = WriteHead(db, *head);
  if (!set.ok()) return set;
  return entrant;
}

absl::Status SetVersion(SqlDatabase* db, absl::string_view name, absl::string_view version,
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
    const absl::StatusOr<Entrant> now = BringIn(db, id, &*head, *own, *to);
    if (!now.ok()) return now.status();
  }
  return absl::OkStatus();
}

absl::StatusOr<Competition> BeginSeason(SqlDatabase* db, const CompetitionId& id,
                                        absl::string_view request_id, absl::Time time) {
  absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  SqlStatement repeats = db->Prepare(
      "SELECT 1 FROM competition WHERE key = ?1 AND season_request_id = ?2 AND ?2 <> ''");
  repeats.Bind(head->key, request_id);
  if (repeats.Step()) return competition_table::GetWithoutEntrants(db, id);
  if (!repeats.status().ok()) return repeats.status();
  if (head->state != CompetitionState::kRunning && head->state != CompetitionState::kPaused) {
    return NoSeasonInState(head->name, StateName(head->state));
  }
  const absl::StatusOr<std::vector<Entrant>> entrants = Read(db, id);
  if (!entrants.ok()) return entrants.status();
  ++head->season;
  for (const Entrant& entrant : *entrants) {
    if (entrant.presence != Presence::kIn) continue;
    const absl::StatusOr<Succession> to =
        SuccessionIn(db, *head, entrant.version, VersionSource::kOrganiser);
    if (!to.ok()) return to.status();
    const absl::StatusOr<Entrant> now = BringIn(db, id, &*head, {entrant}, *to);
    if (!now.ok()) return now.status();
  }
  const absl::Status set = db->Run(
      "UPDATE competition SET version = ?, season = ?, season_time = ?, season_block = ?, "
      "season_request_id = ? WHERE key = ?",
      head->version + 1, head->season, time, head->next_block, request_id, head->key);
  if (!set.ok()) return set;
  return competition_table::GetWithoutEntrants(db, id);
}

}  // namespace referee::store::entrant_table
