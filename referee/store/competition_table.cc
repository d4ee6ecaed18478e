#include "referee/store/competition_table.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/store/errors.h"
#include "referee/store/names.h"

namespace referee::store::competition_table {
namespace {

#define REFEREE_COMPETITION_COLUMNS                                                             \
  "key, id, name, request_id, create_time, format, game, seats, time_control, on_timeout, "     \
  "on_illegal, on_lost_link, lag_compensation, rounds, best_of, max_running, absence_limit_ns," \
  " seed, state, start_time, finish_time, version, next_block, counted, replayed, dice_seed, "  \
  "edition, extra_blocks, lot_seed, tie_breaks, provisional_width, sprt, priority"
constexpr int kCompetitionColumns = 33;

// A test is stored as a round robin with the terms of an SPRT.
absl::string_view StoredFormat(schedule::Format format) {
  return NameOf(kFormats,
                format == schedule::Format::kTest ? schedule::Format::kRoundRobin : format);
}

// A competition as its row has it: without options and entrants.
struct Row {
  int64_t key = 0;
  Competition competition;
};

absl::StatusOr<Row> ReadRow(const Connection& db, const Statement& row) {
  Row read;
  read.key = row.Int(0);
  Competition& competition = read.competition;
  schedule::Spec& spec = competition.spec;
  competition.id = CompetitionId(row.String(1));
  spec.name = row.String(2);
  competition.request_id = row.String(3);
  competition.create_time = row.Time(4);
  if (!ReadName(kFormats, row.Text(5), &spec.format) ||
      !ReadName(kStates, row.Text(18), &competition.state)) {
    return StoreDamaged(db.path(), absl::StrCat("competition ", Quoted(spec.name)));
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
  if (!row.IsNull(17)) competition.dice.pinned_number = static_cast<uint64_t>(row.Int(17));
  competition.start_time = row.OptionalTime(19);
  competition.finish_time = row.OptionalTime(20);
  competition.version = row.Int(21);
  competition.next_block = row.Int(22);
  competition.counted = row.Int(23);
  competition.replayed = row.Int(24);
  if (!row.IsNull(25)) {
    const absl::optional<dice::Bytes32> seed = dice::FromRaw(row.Text(25));
    if (!seed) return StoreDamaged(db.path(), absl::StrCat("competition ", Quoted(spec.name)));
    competition.dice.pinned_seed = dice::Seed{*seed};
  }
  spec.pinned = competition.dice.pinned();
  spec.edition = static_cast<int>(row.Int(26));
  if (!row.IsNull(27)) spec.extra_blocks = static_cast<int>(row.Int(27));
  if (!row.IsNull(28)) {
    const absl::optional<dice::Bytes32> seed = dice::FromRaw(row.Text(28));
    if (!seed) return StoreDamaged(db.path(), absl::StrCat("competition ", Quoted(spec.name)));
    competition.lot_seed = dice::Seed{*seed};
  }
  if (!row.IsNull(29)) {
    absl::StatusOr<std::vector<schedule::TieBreak>> tie_breaks =
        schedule::ParseTieBreaks(row.Text(29));
    if (!tie_breaks.ok()) {
      return StoreDamaged(db.path(), absl::StrCat("competition ", Quoted(spec.name)));
    }
    spec.tie_breaks = *std::move(tie_breaks);
  }
  spec.provisional_width = static_cast<int>(row.Int(30));
  if (!row.IsNull(31)) {
    const absl::StatusOr<rating::SprtTerms> terms = rating::ParseSprtTerms(row.Text(31));
    if (!terms.ok()) {
      return StoreDamaged(db.path(), absl::StrCat("competition ", Quoted(spec.name)));
    }
    spec.sprt = *terms;
    spec.format = schedule::Format::kTest;
  }
  spec.priority = static_cast<int>(row.Int(32));
  return read;
}

absl::Status ReadOptions(Connection* db, Row* row) {
  Statement list =
      db->Prepare("SELECT name, value FROM game_option WHERE competition = ? ORDER BY number");
  list.Bind(row->key);
  while (list.Step()) row->competition.spec.options.emplace_back(list.Text(0), list.Text(1));
  return list.status();
}

absl::Status ReadEntrantNames(Connection* db, Row* row) {
  Statement list = db->Prepare("SELECT name FROM entrant WHERE competition = ? ORDER BY number");
  list.Bind(row->key);
  while (list.Step()) row->competition.spec.entrants.push_back(list.String(0));
  return list.status();
}

// The row that a statement finds, with options and entrants.
absl::StatusOr<Row> ReadWhole(Connection* db, Statement* statement, const absl::Status& none) {
  if (!statement->Step()) return statement->status().ok() ? none : statement->status();
  absl::StatusOr<Row> row = ReadRow(*db, *statement);
  if (!row.ok()) return row;
  absl::Status read = ReadOptions(db, &*row);
  if (read.ok()) read = ReadEntrantNames(db, &*row);
  if (!read.ok()) return read;
  return row;
}

absl::StatusOr<std::vector<Competition>> ReadList(Connection* db, Statement* statement) {
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

absl::Status InsertEntrant(Connection* db, int64_t key, const Entrant& entrant) {
  const Tally& tally = entrant.tally;
  return db->Run(
      "INSERT INTO entrant(competition, number, name, mu, sigma, blocks, wins, draws, losses, "
      "forfeits, half_points, silences, blocks_begun, presence, reason, out_from, voids, "
      "late_voids, given_back_ns, time_losses, lost_links) "
      "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0)",
      key, entrant.number, entrant.name, tally.rating.mu, tally.rating.sigma, tally.blocks,
      tally.wins, tally.draws, tally.losses, tally.forfeits, tally.half_points, tally.silences,
      entrant.blocks_begun, NameOf(kPresences, entrant.presence), entrant.reason, entrant.out_from);
}

absl::Status InsertRow(Connection* db, const Competition& competition) {
  const schedule::Spec& spec = competition.spec;
  absl::optional<std::string> request_id;
  if (!competition.request_id.empty()) request_id = competition.request_id;
  const match::DiceSource& dice = competition.dice;
  absl::optional<int64_t> number;
  if (dice.pinned_number) number = static_cast<int64_t>(*dice.pinned_number);
  absl::optional<dice::Bytes32> seed;
  if (dice.pinned_seed) seed = dice.pinned_seed->bytes;
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
      "max_running, absence_limit_ns, seed, dice_seed, first_entrants, edition, extra_blocks, "
      "lot_seed, tie_breaks, provisional_width, sprt, priority, state, version, next_block, "
      "counted, "
      "replayed) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
      "?, "
      "'NEW', 1, 0, 0, 0)",
      competition.id.text(), spec.name, request_id, competition.create_time,
      StoredFormat(spec.format), spec.game, spec.seats, spec.time_control, spec.on_timeout,
      spec.on_illegal, spec.on_lost_link, spec.lag_compensation, spec.rounds, spec.best_of,
      spec.max_running, absl::ToInt64Nanoseconds(spec.absence_limit), number, seed,
      static_cast<int64_t>(spec.entrants.size()), spec.edition, extra_blocks, lot_seed, tie_breaks,
      spec.provisional_width, sprt, spec.priority);
}

absl::Status InsertOptions(Connection* db, int64_t key, const schedule::Spec& spec) {
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

absl::Status InsertEntrants(Connection* db, int64_t key, const schedule::Spec& spec) {
  for (size_t i = 0; i < spec.entrants.size(); ++i) {
    Entrant entrant;
    entrant.number = static_cast<int>(i);
    entrant.name = spec.entrants[i];
    const absl::Status added = InsertEntrant(db, key, entrant);
    if (!added.ok()) return added;
  }
  return absl::OkStatus();
}

// The competition that this call made when it was made before; NotFound if it was not.
absl::StatusOr<Competition> FindRepeated(Connection* db, const Competition& asked) {
  Statement find = db->Prepare("SELECT " REFEREE_COMPETITION_COLUMNS
                               ", first_entrants FROM competition WHERE request_id = ?");
  find.Bind(asked.request_id);
  absl::StatusOr<Row> row = ReadWhole(db, &find, NoCompetition(asked.request_id));
  if (!row.ok()) return row.status();
  schedule::Spec first = row->competition.spec;  // bots may have joined since
  first.entrants.resize(static_cast<size_t>(find.Int(kCompetitionColumns)));
  if (!SameSpec(first, asked.spec)) return CompetitionRequestReused(asked.request_id);
  return std::move(row->competition);
}

// --- Entrants ---

#define REFEREE_ENTRANT_COLUMNS                                                          \
  "entrant.number, entrant.name, mu, sigma, blocks, wins, draws, losses, forfeits, "     \
  "half_points, silences, blocks_begun, presence, reason, out_from, voids, late_voids, " \
  "given_back_ns, time_losses, lost_links"

constexpr int kEntrantColumns = 20;  // of these

absl::StatusOr<Entrant> ReadEntrant(const Connection& db, const Statement& row) {
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
    return StoreDamaged(db.path(), absl::StrCat("entrant ", Quoted(entrant.name)));
  }
  entrant.reason = row.String(13);
  entrant.out_from = row.Int(14);
  Conduct& conduct = entrant.tally.conduct;
  conduct.voids = row.Int(15);
  conduct.late_voids = row.Int(16);
  conduct.given_back = absl::Nanoseconds(row.Int(17));
  conduct.time_losses = row.Int(18);
  conduct.lost_links = row.Int(19);
  return entrant;
}

// Returns none if there is no such entrant.
absl::StatusOr<absl::optional<Entrant>> FindEntrant(Connection* db, int64_t key,
                                                    absl::string_view name) {
  Statement find = db->Prepare("SELECT " REFEREE_ENTRANT_COLUMNS
                               " FROM entrant WHERE name = ? AND competition = ?");
  find.Bind(name, key);
  if (!find.Step()) {
    if (!find.status().ok()) return find.status();
    return absl::optional<Entrant>();
  }
  absl::StatusOr<Entrant> entrant = ReadEntrant(*db, find);
  if (!entrant.ok()) return entrant.status();
  return absl::optional<Entrant>(*std::move(entrant));
}

absl::Status WritePresence(Connection* db, Head* head, const Entrant& entrant) {
  const absl::Status set = db->Run(
      "UPDATE entrant SET presence = ?, reason = ?, silences = ?, out_from = ? WHERE "
      "competition = ? AND number = ?",
      NameOf(kPresences, entrant.presence), entrant.reason, entrant.tally.silences,
      entrant.out_from, head->key, entrant.number);
  if (!set.ok()) return set;
  ++head->version;
  return WriteHead(db, *head);
}

absl::StatusOr<Entrant> AddEntrant(Connection* db, const CompetitionId& id, Head* head,
                                   absl::string_view name) {
  Statement count = db->Prepare("SELECT count(*) FROM entrant WHERE competition = ?");
  count.Bind(head->key);
  if (!count.Step()) return count.status();
  if (count.Int(0) >= limits::kMaxEntrants) {
    return TooManyEntrants(id.text(), limits::kMaxEntrants);
  }
  Entrant entrant;
  entrant.number = static_cast<int>(count.Int(0));
  entrant.name = std::string(name);
  absl::Status added = InsertEntrant(db, head->key, entrant);
  if (!added.ok()) return added;
  ++head->version;
  added = WriteHead(db, *head);
  if (!added.ok()) return added;
  return entrant;
}

}  // namespace

absl::StatusOr<Head> ReadHead(Connection* db, const CompetitionId& id) {
  Statement find = db->Prepare(
      "SELECT key, state, version, next_block, counted, replayed FROM competition WHERE id = ?");
  find.Bind(id.text());
  if (!find.Step()) return find.status().ok() ? NoCompetition(id.text()) : find.status();
  Head head;
  head.key = find.Int(0);
  if (!ReadName(kStates, find.Text(1), &head.state)) {
    return StoreDamaged(db->path(), absl::StrCat("competition ", id.text()));
  }
  head.version = find.Int(2);
  head.next_block = find.Int(3);
  head.counted = find.Int(4);
  head.replayed = find.Int(5);
  return head;
}

absl::Status WriteHead(Connection* db, const Head& head) {
  return db->Run(
      "UPDATE competition SET version = ?, next_block = ?, counted = ?, replayed = ? WHERE "
      "key = ?",
      head.version, head.next_block, head.counted, head.replayed, head.key);
}

absl::StatusOr<Competition> Create(Connection* db, const Competition& competition) {
  if (!competition.request_id.empty()) {
    absl::StatusOr<Competition> repeated = FindRepeated(db, competition);
    if (!absl::IsNotFound(repeated.status())) return repeated;
  }
  Statement find = db->Prepare("SELECT 1 FROM competition WHERE name = ? OR id = ?");
  find.Bind(competition.spec.name, competition.id.text());
  if (find.Step()) return CompetitionExists(competition.spec.name);
  absl::Status made = find.status();
  if (made.ok()) made = InsertRow(db, competition);
  if (!made.ok()) return made;
  const absl::StatusOr<Head> head = ReadHead(db, competition.id);
  if (!head.ok()) return head.status();
  made = InsertOptions(db, head->key, competition.spec);
  if (made.ok()) made = InsertEntrants(db, head->key, competition.spec);
  if (!made.ok()) return made;
  return Get(db, competition.id);
}

absl::StatusOr<Competition> Get(Connection* db, const CompetitionId& id) {
  Statement find =
      db->Prepare("SELECT " REFEREE_COMPETITION_COLUMNS " FROM competition WHERE id = ?");
  find.Bind(id.text());
  absl::StatusOr<Row> row = ReadWhole(db, &find, NoCompetition(id.text()));
  if (!row.ok()) return row.status();
  return std::move(row->competition);
}

absl::StatusOr<Competition> Find(Connection* db, absl::string_view name) {
  Statement find =
      db->Prepare("SELECT " REFEREE_COMPETITION_COLUMNS " FROM competition WHERE name = ?");
  find.Bind(name);
  absl::StatusOr<Row> row = ReadWhole(db, &find, NoCompetition(name));
  if (!row.ok()) return row.status();
  return std::move(row->competition);
}

absl::StatusOr<std::vector<Competition>> List(Connection* db, const CompetitionId& before,
                                              int limit) {
  Statement list = db->Prepare("SELECT " REFEREE_COMPETITION_COLUMNS
                               " FROM competition WHERE ?1 = '' OR id < ?1 "
                               "ORDER BY id DESC LIMIT ?2");
  list.Bind(before.text(), limit);
  return ReadList(db, &list);
}

absl::StatusOr<std::vector<Competition>> ListUnfinished(Connection* db) {
  Statement list = db->Prepare("SELECT " REFEREE_COMPETITION_COLUMNS
                               " FROM competition WHERE state <> 'FINISHED' ORDER BY id");
  return ReadList(db, &list);
}

absl::StatusOr<Competition> SetState(Connection* db, const CompetitionId& id, CompetitionState from,
                                     CompetitionState to, absl::Time time) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  if (head->state != from) {
    return CompetitionMovedOn(id.text(), absl::StrCat("is ", StateName(head->state)));
  }
  if (to == CompetitionState::kFinished) {
    Statement running = db->Prepare(
        "SELECT 1 FROM block INDEXED BY open_block WHERE competition = ? AND state = 'RUNNING' "
        "LIMIT 1");
    running.Bind(head->key);
    if (running.Step()) return BlocksRunning(id.text());
    if (!running.status().ok()) return running.status();
  }
  const absl::Status set = db->Run(
      "UPDATE competition SET state = ?1, version = version + 1, "
      "start_time = CASE WHEN ?1 = 'RUNNING' THEN coalesce(start_time, ?2) ELSE start_time END, "
      "finish_time = CASE WHEN ?1 = 'FINISHED' THEN ?2 ELSE finish_time END WHERE key = ?3",
      NameOf(kStates, to), time, head->key);
  if (!set.ok()) return set;
  absl::StatusOr<Competition> now = Get(db, id);
  if (now.ok()) now->spec.entrants.clear();
  return now;
}

absl::StatusOr<Competition> SetPriority(Connection* db, const CompetitionId& id, int priority) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  if (head->state == CompetitionState::kFinished) {
    return CompetitionClosed(id.text(), StateName(head->state));
  }
  const absl::Status set =
      db->Run("UPDATE competition SET priority = ?, version = version + 1 WHERE key = ?", priority,
              head->key);
  if (!set.ok()) return set;
  absl::StatusOr<Competition> now = Get(db, id);
  if (now.ok()) now->spec.entrants.clear();
  return now;
}

absl::StatusOr<Competition> Rename(Connection* db, const CompetitionId& id,
                                   absl::string_view name) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  Statement taken = db->Prepare("SELECT 1 FROM competition WHERE name = ? AND key <> ?");
  taken.Bind(name, head->key);
  if (taken.Step()) return CompetitionExists(name);
  if (!taken.status().ok()) return taken.status();
  const absl::Status set = db->Run(
      "UPDATE competition SET name = ?, version = version + 1 WHERE key = ?", name, head->key);
  if (!set.ok()) return set;
  absl::StatusOr<Competition> now = Get(db, id);
  if (now.ok()) now->spec.entrants.clear();
  return now;
}

absl::Status Remove(Connection* db, const CompetitionId& id) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  if (head->state != CompetitionState::kNew && head->state != CompetitionState::kFinished) {
    return CompetitionNotOver(id.text(), StateName(head->state));
  }
  // What refers to others goes before them.
  for (const char* rows :
       {"DELETE FROM attempt WHERE competition = ?", "DELETE FROM block WHERE competition = ?",
        "DELETE FROM block_bot WHERE competition = ?",
        "DELETE FROM pair_total WHERE competition = ?", "DELETE FROM entrant WHERE competition = ?",
        "DELETE FROM game_option WHERE competition = ?", "DELETE FROM competition WHERE key = ?"}) {
    if (absl::Status removed = db->Run(rows, head->key); !removed.ok()) return removed;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Entrant>> ReadEntrants(Connection* db, const CompetitionId& id) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  Statement list = db->Prepare("SELECT " REFEREE_ENTRANT_COLUMNS
                               " FROM entrant WHERE competition = ? ORDER BY number");
  list.Bind(head->key);
  std::vector<Entrant> entrants;
  while (list.Step()) {
    absl::StatusOr<Entrant> entrant = ReadEntrant(*db, list);
    if (!entrant.ok()) return entrant.status();
    entrants.push_back(*std::move(entrant));
  }
  if (!list.status().ok()) return list.status();
  return entrants;
}

absl::StatusOr<std::vector<Entry>> ListEntries(Connection* db, absl::string_view name, int limit) {
  Statement list = db->Prepare(
      "SELECT " REFEREE_ENTRANT_COLUMNS
      ", competition.id, competition.name, competition.state FROM entrant JOIN competition ON "
      "competition.key = entrant.competition WHERE entrant.name = ? ORDER BY competition.id DESC "
      "LIMIT ?");
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
      return StoreDamaged(db->path(), absl::StrCat("competition ", entry.competition.text()));
    }
    entries.push_back(std::move(entry));
  }
  if (!list.status().ok()) return list.status();
  return entries;
}

absl::StatusOr<Entrant> Join(Connection* db, const CompetitionId& id, absl::string_view name) {
  absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  if (head->state == CompetitionState::kFinishing || head->state == CompetitionState::kFinished) {
    return CompetitionClosed(id.text(), StateName(head->state));
  }
  absl::StatusOr<absl::optional<Entrant>> found = FindEntrant(db, head->key, name);
  if (!found.ok()) return found.status();
  if (!found->has_value()) return AddEntrant(db, id, &*head, name);
  Entrant& entrant = **found;
  if (entrant.presence == Presence::kIn) return entrant;
  entrant.presence = Presence::kIn;
  entrant.reason.clear();
  entrant.tally.silences = 0;
  const absl::Status set = WritePresence(db, &*head, entrant);
  if (!set.ok()) return set;
  return entrant;
}

absl::StatusOr<Entrant> TakeOut(Connection* db, const CompetitionId& id, absl::string_view name,
                                Presence out, absl::string_view reason) {
  absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  absl::StatusOr<absl::optional<Entrant>> found = FindEntrant(db, head->key, name);
  if (!found.ok()) return found.status();
  if (!found->has_value()) return NoEntrant(id.text(), name);
  Entrant& entrant = **found;
  if (entrant.presence == Presence::kWithdrawn || entrant.presence == out) return entrant;
  if (entrant.presence == Presence::kIn) entrant.out_from = head->next_block;
  entrant.presence = out;
  entrant.reason = std::string(reason);
  const absl::Status set = WritePresence(db, &*head, entrant);
  if (!set.ok()) return set;
  return entrant;
}

absl::StatusOr<bool> Count(Connection* db, const CompetitionId& id, const Head& head,
                           const CountBlocks::Line& line) {
  const Tally& tally = line.tally;
  const Conduct& conduct = tally.conduct;
  const absl::Status counted = db->Run(
      "UPDATE entrant SET mu = ?, sigma = ?, blocks = ?, wins = ?, draws = ?, losses = ?, "
      "forfeits = ?, half_points = ?, silences = ?, voids = ?, late_voids = ?, given_back_ns = ?, "
      "time_losses = ?, lost_links = ? WHERE competition = ? AND number = ?",
      tally.rating.mu, tally.rating.sigma, tally.blocks, tally.wins, tally.draws, tally.losses,
      tally.forfeits, tally.half_points, tally.silences, conduct.voids, conduct.late_voids,
      absl::ToInt64Nanoseconds(conduct.given_back), conduct.time_losses, conduct.lost_links,
      head.key, line.entrant);
  if (!counted.ok()) return counted;
  if (db->changes() == 0) return NoEntrant(id.text(), absl::StrCat("number ", line.entrant));
  if (line.set_aside.empty()) return false;
  const absl::Status set = db->Run(
      "UPDATE entrant SET presence = 'SET_ASIDE', reason = ?, out_from = ? WHERE "
      "competition = ? AND number = ? AND presence = 'IN'",
      line.set_aside, head.next_block, head.key, line.entrant);
  if (!set.ok()) return set;
  return db->changes() > 0;
}

}  // namespace referee::store::competition_table
