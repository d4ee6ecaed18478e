#include "referee/store/sqlite_apply.h"

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/store/block_changes.h"
#include "referee/store/names.h"
#include "referee/store/tables.h"

namespace referee::store {
namespace {

// --- Reading the rows that changes name ---

absl::Status ReadWantedBlock(SqlDatabase* db, const CompetitionId& id, int64_t number,
                             ChangedCompetition* competition) {
  SqlStatement find = db->Prepare("SELECT " REFEREE_BLOCK_COLUMNS
                                  " FROM block WHERE competition = ? AND number = ?");
  find.Bind(competition->head().key, number);
  if (!find.Step()) return find.status();
  BlockRow row;
  if (!ReadBlockRow(find, &row)) {
    return db->Damaged(absl::StrCat("competition ", id.text(), ", block ", number));
  }
  competition->AddBlock(std::move(row));
  return absl::OkStatus();
}

absl::Status ReadOpenNumbers(SqlDatabase* db, int64_t below, ChangedCompetition* competition) {
  SqlStatement list = db->Prepare(
      "SELECT number FROM block INDEXED BY open_block WHERE competition = ? AND state = 'RUNNING' "
      "AND number < ?");
  list.Bind(competition->head().key, below);
  while (list.Step()) competition->AddOpenBlock(list.Int(0));
  return list.status();
}

absl::Status ReadWhetherIn(SqlDatabase* db, int entrant, ChangedCompetition* competition) {
  SqlStatement find =
      db->Prepare("SELECT 1 FROM entrant WHERE competition = ? AND number = ? AND presence = 'IN'");
  find.Bind(competition->head().key, entrant);
  if (find.Step()) competition->AddEntrantThatIsIn(entrant);
  return find.status();
}

// Returns NotFound.
absl::StatusOr<ChangedCompetition> ReadWanted(SqlDatabase* db, const Lease& lease,
                                              const CompetitionId& id,
                                              const WantedOfCompetition& wanted) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  SqlStatement last = db->Prepare("SELECT max(number) + 1 FROM entrant WHERE competition = ?");
  last.Bind(head->key);
  const int entrants = last.Step() ? static_cast<int>(last.Int(0)) : 0;
  ChangedCompetition competition(lease, *head, entrants);
  absl::Status read = last.status();
  for (const int64_t number : wanted.blocks) {
    if (read.ok()) read = ReadWantedBlock(db, id, number, &competition);
  }
  if (read.ok()) read = ReadOpenNumbers(db, wanted.open_below, &competition);
  for (const int entrant : wanted.entrants) {
    if (read.ok()) read = ReadWhetherIn(db, entrant, &competition);
  }
  if (!read.ok()) return read;
  return competition;
}

// --- Writing the results ---

absl::Status WriteBlock(SqlDatabase* db, int64_t key, const ChangedCompetition::Changed& block) {
  const BlockRow& row = block.row;
  SqlStatement write = db->Prepare(
      block.is_new
          ? "INSERT INTO block(bots, attempt, state, block_id, match_ids, results, times, "
            "forfeited_by, reason, owner, begin_time, end_time, competition, number) VALUES(?, ?, "
            "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
          : "UPDATE block SET bots = ?, attempt = ?, state = ?, block_id = ?, match_ids = ?, "
            "results = ?, times = ?, forfeited_by = ?, reason = ?, owner = ?, begin_time = ?, "
            "end_time = ? WHERE competition = ? AND number = ?");
  return write
      .Bind(row.bots, row.attempt, NameOf(kBlockStates, row.state), row.block_id, row.match_ids,
            row.results, row.times, row.forfeited_by, row.reason, row.owner, row.begin_time,
            row.end_time, key, row.number)
      .Run();
}

absl::Status WriteTally(SqlDatabase* db, int64_t key, int entrant, const Tally& tally) {
  const Conduct& conduct = tally.conduct;
  return db->Run(
      "UPDATE entrant SET mu = ?, sigma = ?, blocks = ?, wins = ?, draws = ?, losses = ?, "
      "forfeits = ?, half_points = ?, silences = ?, silent_until = ?, voids = ?, late_voids = ?, "
      "given_back_ns = ?, time_losses = ?, lost_links = ? WHERE competition = ? AND number = ?",
      tally.rating.mu, tally.rating.sigma, tally.blocks, tally.wins, tally.draws, tally.losses,
      tally.forfeits, tally.half_points, tally.silences, tally.silent_until, conduct.voids,
      conduct.late_voids, absl::ToInt64Nanoseconds(conduct.given_back), conduct.time_losses,
      conduct.lost_links, key, entrant);
}

absl::Status WriteEntrants(SqlDatabase* db, const ChangedCompetition& competition) {
  const int64_t key = competition.head().key;
  absl::Status written;
  for (const auto& [entrant, blocks] : competition.blocks_begun()) {
    if (!written.ok()) return written;
    written = db->Run(
        "UPDATE entrant SET blocks_begun = blocks_begun + ? WHERE competition = ? AND number = ?",
        blocks, key, entrant);
  }
  for (const auto& [entrant, tally] : competition.tallies()) {
    if (!written.ok()) return written;
    written = WriteTally(db, key, entrant, *tally);
  }
  for (const ChangedCompetition::SetAside& out : competition.set_aside()) {
    if (!written.ok()) return written;
    written = db->Run(
        "UPDATE entrant SET presence = 'SET_ASIDE', reason = ?, out_from = ?, suspended_until = ?, "
        "suspended_for_ns = ? WHERE competition = ? AND number = ?",
        out.reason, out.out_from, SuspendedUntil(out.suspension), SuspendedFor(out.suspension), key,
        out.entrant);
  }
  return written;
}

absl::Status WritePair(SqlDatabase* db, int64_t key, const PairTotal& pair) {
  const std::array<int64_t, 5>& blocks = pair.blocks;
  return db->Run(
      "INSERT INTO pair_total(competition, low, high, blocks_0, blocks_1, blocks_2, blocks_3, "
      "blocks_4, draws) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
      "blocks_0 = blocks_0 + excluded.blocks_0, blocks_1 = blocks_1 + excluded.blocks_1, "
      "blocks_2 = blocks_2 + excluded.blocks_2, blocks_3 = blocks_3 + excluded.blocks_3, "
      "blocks_4 = blocks_4 + excluded.blocks_4, draws = draws + excluded.draws",
      key, pair.low, pair.high, blocks[0], blocks[1], blocks[2], blocks[3], blocks[4], pair.draws);
}

absl::Status WriteSurplus(SqlDatabase* db, int64_t key,
                          const ChangedCompetition::Surplus& surplus) {
  return db->Run(
      "UPDATE block SET state = 'DROPPED', reason = ?, "
      "results = CASE forfeited_by WHEN '' THEN results ELSE '' END, "
      "times = CASE forfeited_by WHEN '' THEN times ELSE '' END, forfeited_by = '' "
      "WHERE competition = ? AND number >= ? AND number < ? AND state = 'PLAYED'",
      surplus.reason, key, surplus.from, surplus.to);
}

absl::Status WriteChanged(SqlDatabase* db, const ChangedCompetition& competition) {
  const int64_t key = competition.head().key;
  absl::Status written;
  for (const auto& [number, block] : competition.blocks()) {
    if (written.ok() && (block.is_new || block.differs)) written = WriteBlock(db, key, block);
  }
  for (const ChangedCompetition::Begun& begun : competition.begun()) {
    if (!written.ok()) return written;
    written = db->Run("INSERT INTO block_bot(competition, entrant, number) VALUES(?, ?, ?)", key,
                      begun.entrant, begun.block);
  }
  for (const ChangedCompetition::OnRecord& attempt : competition.attempts()) {
    if (!written.ok()) return written;
    written = PutOnRecord(db, key, attempt.block, attempt.number, *attempt.attempt);
  }
  if (written.ok()) written = WriteEntrants(db, competition);
  for (const auto& [bots, pair] : competition.pairs()) {
    if (written.ok()) written = WritePair(db, key, pair);
  }
  for (const ChangedCompetition::Surplus& surplus : competition.surplus()) {
    if (written.ok()) written = WriteSurplus(db, key, surplus);
  }
  return written.ok() ? WriteHead(db, competition.head()) : written;
}

}  // namespace

absl::Status ApplyOnSqlite(SqlDatabase* db, const Lease& lease, absl::Span<const Change> changes) {
  std::map<CompetitionId, ChangedCompetition> competitions;
  for (const auto& [id, wanted] : WantedBy(changes)) {
    absl::StatusOr<ChangedCompetition> read = ReadWanted(db, lease, id, wanted);
    if (absl::IsNotFound(read.status())) continue;  // MakeChanges refuses the change that names it
    if (!read.ok()) return read.status();
    competitions.emplace(id, *std::move(read));
  }
  absl::Status status = MakeChanges(changes, &competitions);
  for (const auto& [id, competition] : competitions) {
    if (status.ok()) status = WriteChanged(db, competition);
  }
  return status;
}

}  // namespace referee::store
