#include "referee/store/competition_table.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/store/entrant_table.h"
#include "referee/store/errors.h"
#include "referee/store/names.h"

namespace referee::store::competition_table {
namespace {

#define REFEREE_COMPETITION_COLUMNS                                                             \
  "key, id, name, request_id, create_time, format, game, seats, time_control, on_timeout, "     \
  "on_illegal, on_lost_link, lag_compensation, rounds, best_of, max_running, absence_limit_ns," \
  " state, start_time, finish_time, version, next_block, counted, replayed, dice_seed, "        \
  "extra_blocks, lot_seed, tie_breaks, provisional_width, sprt, priority, pace, "               \
  "goal_width, season, season_time, season_block, (SELECT max(number) + 1 FROM position WHERE " \
  "position.competition = competition.key), watch_delay_ns, home, homes, keep_replays, dice_lives"
constexpr int kCompetitionColumns = 42;

constexpr size_t kLifeDigits = 32;

// A competition as its row has it: without options and entrants.
struct Row {
  int64_t key = 0;
  Competition competition;
};

absl::StatusOr<Row> ReadRow(const SqlDatabase& db, const SqlStatement& row) {
  Row read;
  read.key = row.Int(0);
  Competition& competition = read.competition;
  schedule::Spec& spec = competition.spec;
  competition.id = CompetitionId(row.String(1));
  spec.name = row.String(2);
  competition.request_id = row.String(3);
  competition.create_time = row.Time(4);
  if (!ReadName(kFormats, row.Text(5), &spec.format) ||
      !ReadName(kStates, row.Text(17), &competition.state)) {
    return db.Damaged(absl::StrCat("competition ", Quoted(spec.name)));
  }
  spec.game = row.String(6);
  spec.seats = static_cast<int>(row.Int(7));
  spec.time_control = row.String(8);
  spec.on_timeout = row.String(9);
  spec.on_illegal = row.String(10);
  spec.on_lost_link = row.String(11);
  spec.lag_compensation = row.String(12);
  spec.rounds = static_cast<int>(row.Int(13));
  spec.best_of = static_cast<int>(row.Int(14));
  spec.max_running = static_cast<int>(row.Int(15));
  spec.absence_limit = absl::Nanoseconds(row.Int(16));
  competition.start_time = row.OptionalTime(18);
  competition.finish_time = row.OptionalTime(19);
  competition.version = row.Int(20);
  competition.next_block = row.Int(21);
  competition.counted = row.Int(22);
  competition.replayed = row.Int(23);
  if (!row.IsNull(24)) {
    const absl::optional<dice::Bytes32> seed = dice::FromRaw(row.Text(24));
    if (!seed) return db.Damaged(absl::StrCat("competition ", Quoted(spec.name)));
    competition.dice_seed = dice::Seed{*seed};
  }
  spec.pinned = competition.dice_seed.has_value();
  if (!row.IsNull(25)) spec.extra_blocks = static_cast<int>(row.Int(25));
  if (!row.IsNull(26)) {
    const absl::optional<dice::Bytes32> seed = dice::FromRaw(row.Text(26));
    if (!seed) return db.Damaged(absl::StrCat("competition ", Quoted(spec.name)));
    competition.lot_seed = dice::Seed{*seed};
  }
  if (!row.IsNull(27)) {
    absl::StatusOr<std::vector<schedule::TieBreak>> tie_breaks =
        schedule::ParseTieBreaks(row.Text(27));
    if (!tie_breaks.ok()) {
      return db.Damaged(absl::StrCat("competition ", Quoted(spec.name)));
    }
    spec.tie_breaks = *std::move(tie_breaks);
  }
  spec.provisional_width = static_cast<int>(row.Int(28));
  if (!row.IsNull(29)) {
    const absl::StatusOr<rating::SprtTerms> terms = rating::ParseSprtTerms(row.Text(29));
    if (!terms.ok()) {
      return db.Damaged(absl::StrCat("competition ", Quoted(spec.name)));
    }
    spec.sprt = *terms;
  }
  if (spec.sprt.has_value() != (spec.format == schedule::Format::kTest)) {
    return db.Damaged(absl::StrCat("competition ", Quoted(spec.name)));
  }
  spec.priority = static_cast<int>(row.Int(30));
  spec.pace = row.Real(31);
  spec.goal_width = static_cast<int>(row.Int(32));
  competition.season = static_cast<int>(row.Int(33));
  competition.season_time = row.OptionalTime(34);
  competition.season_block = row.Int(35);
  if (!row.IsNull(36)) competition.position_count = static_cast<int>(row.Int(36));
  spec.watch_delay = absl::Nanoseconds(row.Int(37));
  competition.home_term = row.Int(38);
  spec.homes = static_cast<int>(row.Int(39));
  spec.keep_replays = row.Int(40) != 0;
  for (absl::string_view lives = row.Text(41); !lives.empty(); lives.remove_prefix(kLifeDigits)) {
    if (lives.size() < kLifeDigits) {
      return db.Damaged(absl::StrCat("competition ", Quoted(spec.name)));
    }
    competition.dice_lives.emplace_back(lives.substr(0, kLifeDigits));
  }
  return read;
}

absl::Status ReadOptions(SqlDatabase* db, Row* row) {
  SqlStatement list =
      db->Prepare("SELECT name, value FROM game_option WHERE competition = ? ORDER BY number");
  list.Bind(row->key);
  while (list.Step()) row->competition.spec.options.emplace_back(list.Text(0), list.Text(1));
  return list.status();
}

absl::StatusOr<std::vector<std::string>> ReadPositionsOf(SqlDatabase* db, int64_t key) {
  SqlStatement list =
      db->Prepare("SELECT text FROM position WHERE competition = ? ORDER BY number");
  list.Bind(key);
  std::vector<std::string> positions;
  while (list.Step()) positions.push_back(list.String(0));
  if (!list.status().ok()) return list.status();
  return positions;
}

absl::Status ReadEntrantNames(SqlDatabase* db, Row* row) {
  SqlStatement list = db->Prepare(
      "SELECT name, version, season, successor FROM entrant WHERE competition = ? ORDER BY number");
  list.Bind(row->key);
  Competition& competition = row->competition;
  while (list.Step()) {
    competition.spec.entrants.push_back(list.String(0));
    competition.labels.push_back({list.String(1), static_cast<int>(list.Int(2)), list.IsNull(3)});
  }
  return list.status();
}

// The row that a statement finds, with options and entrants.
absl::StatusOr<Row> ReadWhole(SqlDatabase* db, SqlStatement* statement, const absl::Status& none) {
  if (!statement->Step()) return statement->status().ok() ? none : statement->status();
  absl::StatusOr<Row> row = ReadRow(*db, *statement);
  if (!row.ok()) return row;
  absl::Status read = ReadOptions(db, &*row);
  if (read.ok()) read = ReadEntrantNames(db, &*row);
  if (!read.ok()) return read;
  return row;
}

absl::StatusOr<std::vector<Competition>> ReadList(SqlDatabase* db, SqlStatement* statement) {
  std::vector<Competition> competitions;
  while (statement->Step()) {
    absl::StatusOr<Row> row = ReadRow(*db, *statement);
    if (!row.ok()) return row.status();
    const absl::Status read = ReadOptions(db, &*row);
    if (!read.ok()) return read;
    competitions.push_back(std::move(row->competition));
  }
  if (!statement->status().ok()) return statement->status();
  return competitions;
}

// --- Making one ---

absl::Status InsertRow(SqlDatabase* db, const Competition& competition) {
  const schedule::Spec& spec = competition.spec;
  absl::optional<std::string> request_id;
  if (!competition.request_id.empty()) request_id = competition.request_id;
  absl::optional<dice::Bytes32> seed;
  if (competition.dice_seed) seed = competition.dice_seed->bytes;
  absl::optional<dice::Bytes32> lot_seed;
  if (competition.lot_seed) lot_seed = competition.lot_seed->bytes;
  absl::optional<int64_t> extra_blocks;
  if (spec.extra_blocks) extra_blocks = *spec.extra_blocks;
  absl::optional<std::string> tie_breaks;
  if (spec.tie_breaks) tie_breaks = schedule::TieBreaksText(*spec.tie_breaks);
  absl::optional<std::string> sprt;
  if (spec.sprt) sprt = rating::SprtTermsText(*spec.sprt);
  return db->Run(
      "INSERT INTO competition(id, name, request_id, create_time, format, game, seats, "
      "time_control, on_timeout, on_illegal, on_lost_link, lag_compensation, rounds, best_of, "
      "max_running, absence_limit_ns, dice_seed, first_entrants, extra_blocks, "
      "lot_seed, tie_breaks, provisional_width, sprt, priority, pace, goal_width, watch_delay_ns, "
      "homes, keep_replays, state, version, next_block, counted, replayed) "
      "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
      "?, 'NEW', 1, 0, 0, 0)",
      competition.id.text(), spec.name, request_id, competition.create_time,
      NameOf(kFormats, spec.format), spec.game, spec.seats, spec.time_control, spec.on_timeout,
      spec.on_illegal, spec.on_lost_link, spec.lag_compensation, spec.rounds, spec.best_of,
      spec.max_running, absl::ToInt64Nanoseconds(spec.absence_limit), seed,
      static_cast<int64_t>(spec.entrants.size()), extra_blocks, lot_seed, tie_breaks,
      spec.provisional_width, sprt, spec.priority, spec.pace, spec.goal_width,
      absl::ToInt64Nanoseconds(spec.watch_delay), spec.homes, spec.keep_replays ? 1 : 0);
}

absl::Status InsertOptions(SqlDatabase* db, int64_t key, const schedule::Spec& spec) {
  for (size_t i = 0; i < spec.options.size(); ++i) {
    const std::string& value = spec.options[i].second;
    const auto* bytes = reinterpret_cast<const uint8_t*>(value.data());
    const absl::Status added = db->Run(
        "INSERT INTO game_option(competition, number, name, value) VALUES(?, ?, ?, ?)", key,
        static_cast<int64_t>(i), spec.options[i].first, absl::MakeConstSpan(bytes, value.size()));
    if (!added.ok()) return added;
  }
  return absl::OkStatus();
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

// The competition that this call made when it was made before; NotFound if it was not.
absl::StatusOr<Competition> FindRepeated(SqlDatabase* db, const Competition& asked) {
  SqlStatement find = db->Prepare("SELECT " REFEREE_COMPETITION_COLUMNS
                                  ", first_entrants FROM competition WHERE request_id = ?");
  find.Bind(asked.request_id);
  absl::StatusOr<Row> row = ReadWhole(db, &find, NoCompetition(asked.request_id));
  if (!row.ok()) return row.status();
  schedule::Spec first = row->competition.spec;  // bots may have joined since
  first.entrants.resize(static_cast<size_t>(find.Int(kCompetitionColumns)));
  absl::StatusOr<std::vector<std::string>> positions = ReadPositionsOf(db, row->key);
  if (!positions.ok()) return positions.status();
  first.positions = *std::move(positions);
  if (!SameSpec(first, asked.spec)) return CompetitionRequestReused(asked.request_id);
  return std::move(row->competition);
}

}  // namespace

absl::StatusOr<Head> ReadHead(SqlDatabase* db, const CompetitionId& id) {
  SqlStatement find = db->Prepare(absl::StrCat(
      "SELECT key, state, version, next_block, counted, replayed, season, home, name FROM "
      "competition WHERE id = ?",
      db->for_update()));
  find.Bind(id.text());
  if (!find.Step()) return find.status().ok() ? NoCompetition(id.text()) : find.status();
  Head head;
  head.key = find.Int(0);
  if (!ReadName(kStates, find.Text(1), &head.state)) {
    return db->Damaged(absl::StrCat("competition ", id.text()));
  }
  head.version = find.Int(2);
  head.next_block = find.Int(3);
  head.counted = find.Int(4);
  head.replayed = find.Int(5);
  head.season = static_cast<int>(find.Int(6));
  head.home_term = find.Int(7);
  head.name = find.String(8);
  return head;
}

absl::Status WriteHead(SqlDatabase* db, const Head& head) {
  return db->Run(
      "UPDATE competition SET version = ?, next_block = ?, counted = ?, replayed = ? WHERE "
      "key = ?",
      head.version, head.next_block, head.counted, head.replayed, head.key);
}

absl::Status SetHome(SqlDatabase* db, const Head& head, int64_t term) {
  return db->Run("UPDATE competition SET home = ? WHERE key = ?", term, head.key);
}

absl::StatusOr<Competition> Create(SqlDatabase* db, const Competition& competition) {
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
  made = InsertOptions(db, head->key, competition.spec);
  if (made.ok()) made = InsertPositions(db, head->key, competition.spec);
  if (made.ok()) made = entrant_table::InsertFirst(db, head->key, competition.spec.entrants);
  if (!made.ok()) return made;
  return Get(db, competition.id);
}

absl::StatusOr<Competition> Get(SqlDatabase* db, const CompetitionId& id) {
  SqlStatement find =
      db->Prepare("SELECT " REFEREE_COMPETITION_COLUMNS " FROM competition WHERE id = ?");
  find.Bind(id.text());
  absl::StatusOr<Row> row = ReadWhole(db, &find, NoCompetition(id.text()));
  if (!row.ok()) return row.status();
  return std::move(row->competition);
}

absl::StatusOr<Competition> GetWithoutEntrants(SqlDatabase* db, const CompetitionId& id) {
  absl::StatusOr<Competition> now = Get(db, id);
  if (!now.ok()) return now;
  now->spec.entrants.clear();
  now->labels.clear();
  return now;
}

absl::StatusOr<std::vector<std::string>> ReadPositions(SqlDatabase* db, const CompetitionId& id) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  return ReadPositionsOf(db, head->key);
}

absl::StatusOr<Competition> Find(SqlDatabase* db, absl::string_view name) {
  SqlStatement find =
      db->Prepare("SELECT " REFEREE_COMPETITION_COLUMNS " FROM competition WHERE name = ?");
  find.Bind(name);
  absl::StatusOr<Row> row = ReadWhole(db, &find, NoCompetition(name));
  if (!row.ok()) return row.status();
  return std::move(row->competition);
}

absl::StatusOr<std::vector<Competition>> List(SqlDatabase* db, const CompetitionId& before,
                                              int limit) {
  SqlStatement list = db->Prepare("SELECT " REFEREE_COMPETITION_COLUMNS
                                  " FROM competition WHERE ?1 = '' OR id < ?1 "
                                  "ORDER BY id DESC LIMIT ?2");
  list.Bind(before.text(), limit);
  return ReadList(db, &list);
}

absl::StatusOr<std::vector<Competition>> ListOf(SqlDatabase* db, absl::string_view bot,
                                                const CompetitionId& before, int limit) {
  SqlStatement list = db->Prepare("SELECT " REFEREE_COMPETITION_COLUMNS
                                  " FROM competition WHERE key IN (SELECT competition FROM entrant "
                                  "WHERE name = ?1) AND (?2 = '' OR id < ?2) "
                                  "ORDER BY id DESC LIMIT ?3");
  list.Bind(bot, before.text(), limit);
  return ReadList(db, &list);
}

absl::StatusOr<std::vector<Competition>> ListUnfinished(SqlDatabase* db) {
  SqlStatement list = db->Prepare("SELECT " REFEREE_COMPETITION_COLUMNS
                                  " FROM competition WHERE state <> 'FINISHED' ORDER BY id");
  return ReadList(db, &list);
}

absl::StatusOr<Competition> SetState(SqlDatabase* db, const CompetitionId& id,
                                     CompetitionState from, CompetitionState to, absl::Time time) {
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
    if (running.Step()) return BlocksRunning(head->name);
    if (!running.status().ok()) return running.status();
  }
  const absl::Status set = db->Run(
      "UPDATE competition SET state = ?1, version = version + 1, "
      "start_time = CASE WHEN ?1 = 'RUNNING' THEN coalesce(start_time, ?2) ELSE start_time END, "
      "finish_time = CASE WHEN ?1 = 'FINISHED' THEN ?2 ELSE finish_time END WHERE key = ?3",
      NameOf(kStates, to), time, head->key);
  if (!set.ok()) return set;
  return GetWithoutEntrants(db, id);
}

absl::Status BeginLife(SqlDatabase* db, absl::string_view life) {
  return db->Run(
      "UPDATE competition SET dice_lives = dice_lives || ?, version = version + 1 WHERE "
      "state <> 'FINISHED' AND dice_seed IS NOT NULL",
      life);
}

absl::StatusOr<Competition> SetPriority(SqlDatabase* db, const CompetitionId& id, int priority) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  if (head->state == CompetitionState::kFinished) {
    return CompetitionClosed(head->name, StateName(head->state));
  }
  const absl::Status set =
      db->Run("UPDATE competition SET priority = ?, version = version + 1 WHERE key = ?", priority,
              head->key);
  if (!set.ok()) return set;
  return GetWithoutEntrants(db, id);
}

absl::StatusOr<Competition> SetWatchDelay(SqlDatabase* db, const CompetitionId& id,
                                          absl::Duration delay) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  const absl::Status set =
      db->Run("UPDATE competition SET watch_delay_ns = ?, version = version + 1 WHERE key = ?",
              absl::ToInt64Nanoseconds(delay), head->key);
  if (!set.ok()) return set;
  return GetWithoutEntrants(db, id);
}

absl::StatusOr<Competition> SetHomes(SqlDatabase* db, const CompetitionId& id, int homes) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  if (head->state == CompetitionState::kFinished) {
    return CompetitionClosed(head->name, StateName(head->state));
  }
  const absl::Status set = db->Run(
      "UPDATE competition SET homes = ?, version = version + 1 WHERE key = ?", homes, head->key);
  if (!set.ok()) return set;
  return GetWithoutEntrants(db, id);
}

absl::StatusOr<Competition> SetKeepReplays(SqlDatabase* db, const CompetitionId& id, bool keep) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  const absl::Status set =
      db->Run("UPDATE competition SET keep_replays = ?, version = version + 1 WHERE key = ?",
              keep ? 1 : 0, head->key);
  if (!set.ok()) return set;
  return GetWithoutEntrants(db, id);
}

absl::StatusOr<Competition> Rename(SqlDatabase* db, const CompetitionId& id,
                                   absl::string_view name) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  SqlStatement taken = db->Prepare("SELECT 1 FROM competition WHERE name = ? AND key <> ?");
  taken.Bind(name, head->key);
  if (taken.Step()) return CompetitionExists(name);
  if (!taken.status().ok()) return taken.status();
  const absl::Status set = db->Run(
      "UPDATE competition SET name = ?, version = version + 1 WHERE key = ?", name, head->key);
  if (!set.ok()) return set;
  return GetWithoutEntrants(db, id);
}

absl::Status Remove(SqlDatabase* db, const CompetitionId& id) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  if (head->state != CompetitionState::kNew && head->state != CompetitionState::kFinished) {
    return CompetitionNotOver(head->name, StateName(head->state));
  }
  SqlStatement keeps =
      db->Prepare("SELECT name FROM competition WHERE key = ? AND keep_replays <> 0");
  keeps.Bind(head->key);
  if (keeps.Step()) return ReplaysAreKept(keeps.Text(0));
  if (!keeps.status().ok()) return keeps.status();
  // What refers to others goes before them.
  for (const char* rows :
       {"DELETE FROM attempt WHERE competition = ?", "DELETE FROM block WHERE competition = ?",
        "DELETE FROM block_bot WHERE competition = ?",
        "DELETE FROM pair_total WHERE competition = ?", "DELETE FROM entrant WHERE competition = ?",
        "DELETE FROM game_option WHERE competition = ?",
        "DELETE FROM position WHERE competition = ?", "DELETE FROM help WHERE competition = ?",
        "DELETE FROM competition WHERE key = ?"}) {
    if (absl::Status removed = db->Run(rows, head->key); !removed.ok()) return removed;
  }
  return absl::OkStatus();
}

}  // namespace referee::store::competition_table
