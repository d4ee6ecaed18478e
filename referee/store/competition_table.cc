// The calls of SqlStore for competitions, except their entrants.

#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "referee/base/errors.h"
#include "referee/store/errors.h"
#include "referee/store/names.h"
#include "referee/store/spec_wire.h"
#include "referee/store/sql_store.h"
#include "referee/store/tables.h"

namespace referee::store {
namespace {

#define REFEREE_COMPETITION_COLUMNS                                                             \
  "key, id, name, request_id, create_time, state, spec, start_time, finish_time, version, "     \
  "next_block, counted, replayed, dice_seed, lot_seed, season, season_time, season_block, "     \
  "(SELECT max(number) + 1 FROM position WHERE position.competition = competition.key), home, " \
  "dice_lives, life_blocks"
constexpr int kCompetitionColumns = 22;

constexpr size_t kLifeDigits = 32;

// Reads a column of 32 bytes or NULL. Returns false for anything else.
bool ReadSeed(const SqlStatement& row, int column, absl::optional<dice::Seed>* seed) {
  if (row.IsNull(column)) return true;
  const absl::optional<dice::Bytes32> bytes = dice::FromRaw(row.Text(column));
  if (bytes) *seed = dice::Seed{*bytes};
  return bytes.has_value();
}

// Reads a column that SpecBytes has written. Returns false for anything else.
bool ReadSpec(absl::string_view bytes, schedule::Spec* spec) {
  v1::CompetitionSpec message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return false;
  absl::StatusOr<schedule::Spec> read = SpecFromWire(message);
  if (!read.ok()) return false;
  *spec = *std::move(read);
  return spec->sprt.has_value() == (spec->format == schedule::Format::kTest);
}

// Reads the columns that BeginLife has written. Returns false for anything else.
bool ReadLives(absl::string_view lives, absl::string_view blocks, Competition* competition) {
  for (; lives.size() >= kLifeDigits; lives.remove_prefix(kLifeDigits)) {
    competition->dice_lives.emplace_back(lives.substr(0, kLifeDigits));
  }
  for (const absl::string_view block : absl::StrSplit(blocks, ' ', absl::SkipEmpty())) {
    if (!absl::SimpleAtoi(block, &competition->life_blocks.emplace_back())) return false;
  }
  return lives.empty() && competition->life_blocks.size() == competition->dice_lives.size();
}

// Reads a competition from its row, without entrants.
absl::StatusOr<Competition> ReadRow(const SqlDatabase& db, const SqlStatement& row) {
  Competition competition;
  competition.id = CompetitionId(row.String(1));
  const std::string name = row.String(2);
  competition.request_id = row.String(3);
  competition.create_time = row.Time(4);
  if (!ReadName(kStates, row.Text(5), &competition.state) ||
      !ReadSpec(row.Text(6), &competition.spec) || !ReadSeed(row, 13, &competition.dice_seed) ||
      !ReadSeed(row, 14, &competition.lot_seed) ||
      !ReadLives(row.Text(20), row.Text(21), &competition)) {
    return db.Damaged(absl::StrCat("competition ", Quoted(name)));
  }
  competition.spec.name = name;
  competition.start_time = row.OptionalTime(7);
  competition.finish_time = row.OptionalTime(8);
  competition.version = row.Int(9);
  competition.next_block = row.Int(10);
  competition.counted = row.Int(11);
  competition.replayed = row.Int(12);
  competition.season = static_cast<int>(row.Int(15));
  competition.season_time = row.OptionalTime(16);
  competition.season_block = row.Int(17);
  if (!row.IsNull(18)) competition.position_count = static_cast<int>(row.Int(18));
  competition.home_term = row.Int(19);
  return competition;
}

// Returns the competition that a statement finds, with entrants; `none` if there is none.
absl::StatusOr<Competition> ReadWhole(SqlDatabase* db, SqlStatement* statement,
                                      const absl::Status& none) {
  if (!statement->Step()) return statement->status().ok() ? none : statement->status();
  absl::StatusOr<Competition> competition = ReadRow(*db, *statement);
  if (!competition.ok()) return competition;
  SqlStatement list = db->Prepare(
      "SELECT name, version, season, successor FROM entrant WHERE competition = ? ORDER BY number");
  list.Bind(statement->Int(0));
  while (list.Step()) {
    competition->spec.entrants.push_back(list.String(0));
    competition->labels.push_back({list.String(1), static_cast<int>(list.Int(2)), list.IsNull(3)});
  }
  if (!list.status().ok()) return list.status();
  return competition;
}

absl::StatusOr<std::vector<Competition>> ReadCompetitions(SqlDatabase* db, SqlStatement* list) {
  return ReadRows<Competition>(list, [&](const SqlStatement& row) { return ReadRow(*db, row); });
}

// --- Creation ---

// Encodes a spec for its column, without the parts that have columns and tables of their own.
absl::StatusOr<std::string> SpecBytes(const schedule::Spec& spec) {
  v1::CompetitionSpec message;
  if (absl::Status written = SpecToWire(spec, &message); !written.ok()) return written;
  message.clear_name();
  message.clear_entrants();
  message.clear_positions();
  return message.SerializeAsString();
}

absl::Span<const uint8_t> AsBytes(absl::string_view text) {
  return absl::MakeConstSpan(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

absl::Status InsertRow(SqlDatabase* db, const Competition& competition) {
  const schedule::Spec& spec = competition.spec;
  const absl::StatusOr<std::string> bytes = SpecBytes(spec);
  if (!bytes.ok()) return bytes.status();
  absl::optional<std::string> request_id;
  absl::optional<dice::Bytes32> request_hash;
  if (!competition.request_id.empty()) {
    const absl::StatusOr<dice::Bytes32> hash = SpecHash(spec);
    if (!hash.ok()) return hash.status();
    request_id = competition.request_id;
    request_hash = *hash;
  }
  absl::optional<dice::Bytes32> seed;
  if (competition.dice_seed) seed = competition.dice_seed->bytes;
  absl::optional<dice::Bytes32> lot_seed;
  if (competition.lot_seed) lot_seed = competition.lot_seed->bytes;
  return db->Run(
      "INSERT INTO competition(id, name, request_id, request_hash, create_time, format, spec, "
      "dice_seed, lot_seed, state, version, next_block, counted, replayed) "
      "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, 'NEW', 1, 0, 0, 0)",
      competition.id.text(), spec.name, request_id, request_hash, competition.create_time,
      NameOf(kFormats, spec.format), AsBytes(*bytes), seed, lot_seed);
}

absl::Status InsertPositions(SqlDatabase* db, int64_t key, const schedule::Spec& spec) {
  int64_t number = 0;
  for (const std::string& position : spec.positions) {
    const absl::Status added = db->Run(
        "INSERT INTO position(competition, number, text) VALUES(?, ?, ?)", key, number++, position);
    if (!added.ok()) return added;
  }
  return absl::OkStatus();
}

// Returns the competition of an earlier call with the same request id, or NotFound.
absl::StatusOr<Competition> FindRepeated(SqlDatabase* db, const Competition& asked) {
  SqlStatement find = db->Prepare("SELECT " REFEREE_COMPETITION_COLUMNS
                                  ", request_hash FROM competition WHERE request_id = ?");
  find.Bind(asked.request_id);
  absl::StatusOr<Competition> made = ReadWhole(db, &find, NoCompetition(asked.request_id));
  if (!made.ok()) return made;
  const absl::StatusOr<dice::Bytes32> hash = SpecHash(asked.spec);
  if (!hash.ok()) return hash.status();
  if (find.Text(kCompetitionColumns) != dice::Raw(*hash)) {
    return absl::AlreadyExistsError(
        absl::StrCat("request_id ", Quoted(asked.request_id),
                     ": used before for a competition with another spec; take a new one"));
  }
  return made;
}

absl::StatusOr<Competition> ReadCompetition(SqlDatabase* db, const CompetitionId& id) {
  SqlStatement find =
      db->Prepare("SELECT " REFEREE_COMPETITION_COLUMNS " FROM competition WHERE id = ?");
  find.Bind(id.text());
  return ReadWhole(db, &find, NoCompetition(id.text()));
}

}  // namespace

bool ReadHeadRow(const SqlStatement& row, Head* head) {
  head->key = row.Int(0);
  head->version = row.Int(2);
  head->next_block = row.Int(3);
  head->counted = row.Int(4);
  head->replayed = row.Int(5);
  head->season = static_cast<int>(row.Int(6));
  head->home_term = row.Int(7);
  head->name = row.String(8);
  return ReadName(kStates, row.Text(1), &head->state);
}

absl::StatusOr<Head> ReadHead(SqlDatabase* db, const CompetitionId& id) {
  SqlStatement find = db->Prepare(absl::StrCat(
      "SELECT " REFEREE_HEAD_COLUMNS " FROM competition WHERE id = ?", db->for_update()));
  find.Bind(id.text());
  if (!find.Step()) return find.status().ok() ? NoCompetition(id.text()) : find.status();
  Head head;
  if (ReadHeadRow(find, &head)) return head;
  return db->Damaged(absl::StrCat("competition ", id.text()));
}

absl::Status WriteHead(SqlDatabase* db, const Head& head) {
  return db->Run(
      "UPDATE competition SET version = ?, next_block = ?, counted = ?, replayed = ? WHERE "
      "key = ?",
      head.version, head.next_block, head.counted, head.replayed, head.key);
}

absl::StatusOr<Competition> SqlStore::CreateCompetition(const Competition& competition,
                                                        const absl::optional<AuditEntry>& audit) {
  return Audited(audit, [&](SqlDatabase* db) -> absl::StatusOr<Competition> {
    if (!competition.request_id.empty()) {
      absl::StatusOr<Competition> repeated = FindRepeated(db, competition);
      if (!absl::IsNotFound(repeated.status())) return repeated;
    }
    SqlStatement find = db->Prepare("SELECT 1 FROM competition WHERE name = ? OR id = ?");
    find.Bind(competition.spec.name, competition.id.text());
    if (find.Step()) return CompetitionExists(competition.spec.name);
    absl::Status made = find.status();
    if (made.ok()) made = InsertRow(db, competition);
    if (!made.ok()) return made;
    const absl::StatusOr<Head> head = ReadHead(db, competition.id);
    if (!head.ok()) return head.status();
    made = InsertPositions(db, head->key, competition.spec);
    if (made.ok()) made = InsertFirstEntrants(db, head->key, competition.spec.entrants);
    if (!made.ok()) return made;
    return ReadCompetition(db, competition.id);
  });
}

absl::StatusOr<Competition> ReadWithoutEntrants(SqlDatabase* db, const CompetitionId& id) {
  absl::StatusOr<Competition> now = ReadCompetition(db, id);
  if (!now.ok()) return now;
  now->spec.entrants.clear();
  now->labels.clear();
  return now;
}

absl::StatusOr<Competition> SqlStore::GetCompetition(const CompetitionId& id) {
  return Read([&](SqlDatabase* db) { return ReadCompetition(db, id); });
}

absl::StatusOr<std::vector<std::string>> SqlStore::ReadPositions(const CompetitionId& id) {
  return ReadOf(id, [](SqlDatabase* db, const Head& head) {
    SqlStatement list =
        db->Prepare("SELECT text FROM position WHERE competition = ? ORDER BY number");
    list.Bind(head.key);
    return ReadRows<std::string>(&list, [](const SqlStatement& row) { return row.String(0); });
  });
}

absl::StatusOr<Competition> SqlStore::FindCompetition(absl::string_view name) {
  return Read([&](SqlDatabase* db) -> absl::StatusOr<Competition> {
    SqlStatement find =
        db->Prepare("SELECT " REFEREE_COMPETITION_COLUMNS " FROM competition WHERE name = ?");
    find.Bind(name);
    return ReadWhole(db, &find, NoCompetition(name));
  });
}

absl::StatusOr<std::vector<Competition>> SqlStore::ListCompetitions(const CompetitionId& before,
                                                                    int limit) {
  return Read([&](SqlDatabase* db) -> absl::StatusOr<std::vector<Competition>> {
    SqlStatement list = db->Prepare("SELECT " REFEREE_COMPETITION_COLUMNS
                                    " FROM competition WHERE ?1 = '' OR id < ?1 "
                                    "ORDER BY id DESC LIMIT ?2");
    list.Bind(before.text(), limit);
    return ReadCompetitions(db, &list);
  });
}

absl::StatusOr<std::vector<Competition>> SqlStore::ListCompetitionsOf(absl::string_view bot,
                                                                      const CompetitionId& before,
                                                                      int limit) {
  return Read([&](SqlDatabase* db) -> absl::StatusOr<std::vector<Competition>> {
    SqlStatement list =
        db->Prepare("SELECT " REFEREE_COMPETITION_COLUMNS
                    " FROM competition WHERE key IN (SELECT competition FROM entrant "
                    "WHERE name = ?1) AND (?2 = '' OR id < ?2) "
                    "ORDER BY id DESC LIMIT ?3");
    list.Bind(bot, before.text(), limit);
    return ReadCompetitions(db, &list);
  });
}

absl::StatusOr<std::vector<Competition>> SqlStore::ListUnfinished() {
  return Read([&](SqlDatabase* db) -> absl::StatusOr<std::vector<Competition>> {
    SqlStatement list = db->Prepare("SELECT " REFEREE_COMPETITION_COLUMNS
                                    " FROM competition WHERE state <> 'FINISHED' ORDER BY id");
    return ReadCompetitions(db, &list);
  });
}

absl::StatusOr<Competition> SqlStore::SetState(const CompetitionId& id, CompetitionState from,
                                               CompetitionState to, absl::Time time,
                                               const absl::optional<AuditEntry>& audit) {
  return Audited(audit, [&](SqlDatabase* db) -> absl::StatusOr<Competition> {
    const absl::StatusOr<Head> head = ReadHead(db, id);
    if (!head.ok()) return head.status();
    if (head->state != from) {
      return CompetitionMovedOn(head->name, absl::StrCat("is ", StateName(head->state)));
    }
    if (to == CompetitionState::kFinished) {
      SqlStatement running = db->Prepare(
          "SELECT 1 FROM block INDEXED BY open_block WHERE competition = ? AND state = 'RUNNING' "
          "LIMIT 1");
      running.Bind(head->key);
      if (running.Step()) {
        return absl::FailedPreconditionError(
            absl::StrCat("competition ", Quoted(head->name), ": blocks of it are being played"));
      }
      if (!running.status().ok()) return running.status();
    }
    const absl::Status set = db->Run(
        "UPDATE competition SET state = ?1, version = version + 1, "
        "start_time = CASE WHEN ?1 = 'RUNNING' THEN coalesce(start_time, ?2) ELSE start_time END, "
        "finish_time = CASE WHEN ?1 = 'FINISHED' THEN ?2 ELSE finish_time END WHERE key = ?3",
        NameOf(kStates, to), time, head->key);
    if (!set.ok()) return set;
    return ReadWithoutEntrants(db, id);
  });
}

absl::Status SqlStore::BeginLife(absl::string_view life) {
  return Write(Writes::kRecords, [&](SqlDatabase* db) -> absl::Status {
    return db->Run(
        "UPDATE competition SET dice_lives = dice_lives || ?, life_blocks = life_blocks || "
        "next_block || ' ', version = version + 1 WHERE state <> 'FINISHED' AND (dice_seed IS NOT "
        "NULL OR lot_seed IS NOT NULL)",
        life);
  });
}

absl::StatusOr<Competition> SqlStore::UpdateSpec(const CompetitionId& id, int64_t version,
                                                 const schedule::Spec& spec,
                                                 const absl::optional<AuditEntry>& audit) {
  return Audited(audit, [&](SqlDatabase* db) -> absl::StatusOr<Competition> {
    const absl::StatusOr<Head> head = ReadHead(db, id);
    if (!head.ok()) return head.status();
    if (head->version != version) return CompetitionMovedOn(head->name, "has changed");
    SqlStatement taken = db->Prepare("SELECT 1 FROM competition WHERE name = ? AND key <> ?");
    taken.Bind(spec.name, head->key);
    if (taken.Step()) return CompetitionExists(spec.name);
    if (!taken.status().ok()) return taken.status();
    const absl::StatusOr<std::string> bytes = SpecBytes(spec);
    if (!bytes.ok()) return bytes.status();
    const absl::Status set =
        db->Run("UPDATE competition SET name = ?, spec = ?, version = version + 1 WHERE key = ?",
                spec.name, AsBytes(*bytes), head->key);
    if (!set.ok()) return set;
    return ReadWithoutEntrants(db, id);
  });
}

absl::Status SqlStore::RemoveCompetition(const CompetitionId& id,
                                         const absl::optional<AuditEntry>& audit) {
  return Audited(audit, [&](SqlDatabase* db) -> absl::Status {
    const absl::StatusOr<Head> head = ReadHead(db, id);
    if (!head.ok()) return head.status();
    if (head->state != CompetitionState::kNew && head->state != CompetitionState::kFinished) {
      return absl::FailedPreconditionError(
          absl::StrCat("competition ", Quoted(head->name), ": is ", StateName(head->state),
                       "; only one that is NEW or FINISHED is removed"));
    }
    const absl::StatusOr<Competition> competition = ReadCompetition(db, id);
    if (!competition.ok()) return competition.status();
    if (competition->spec.keep_replays) {
      return absl::FailedPreconditionError(absl::StrCat(
          "competition ", Quoted(head->name),
          ": its replays are to be kept, which nothing would say without it; if they need "
          "not be, 'refctl competition set NAME --keep-replays default' first"));
    }
    // Delete rows before the rows to which they refer.
    for (const char* rows :
         {"DELETE FROM attempt WHERE competition = ?", "DELETE FROM block WHERE competition = ?",
          "DELETE FROM block_bot WHERE competition = ?",
          "DELETE FROM pair_total WHERE competition = ?",
          "DELETE FROM entrant WHERE competition = ?", "DELETE FROM position WHERE competition = ?",
          "DELETE FROM help WHERE competition = ?", "DELETE FROM competition WHERE key = ?"}) {
      if (absl::Status removed = db->Run(rows, head->key); !removed.ok()) return removed;
    }
    return absl::OkStatus();
  });
}

}  // namespace referee::store
