#include "referee/store/postgres_apply.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/postgres/errors.h"
#include "referee/store/block_changes.h"
#include "referee/store/block_text.h"
#include "referee/store/errors.h"
#include "referee/store/names.h"
#include "referee/store/tables.h"

namespace referee::store {
namespace {

using postgres::Params;
using postgres::Query;
using postgres::Result;
using postgres::Rows;

using Competitions = std::map<CompetitionId, ChangedCompetition>;

// --- Reading the rows that changes name ---

// Locks the lease first: it can be renewed meanwhile, but not ended.
void AskForLease(const Lease& lease, std::vector<Query>* queries) {
  static const auto* const kFind = new std::string(absl::StrCat(
      "SELECT until, ", kPostgresNow, " FROM lease WHERE owner = $1 AND term = $2 FOR KEY SHARE"));
  queries->push_back({*kFind, Params::Of(lease.owner, lease.term)});
}

absl::Status CheckLeaseIn(const Lease& lease, const absl::optional<absl::Time>& now,
                          SqlStatement* row) {
  if (!row->Step()) return LeaseEnded(lease.owner);
  return row->Time(0) > now.value_or(row->Time(1)) ? absl::OkStatus() : LeaseLapsed(lease.owner);
}

// Locks the competition's row first, in order of ids, as every writer of its blocks does. Later
// reads see the last writer's changes.
void AskForHead(const CompetitionId& id, std::vector<Query>* queries) {
  queries->push_back({"SELECT " REFEREE_HEAD_COLUMNS
                      " FROM competition WHERE id = $1 FOR NO KEY UPDATE",
                      Params::Of(id.text())});
}

// Asks for four results. OFFSET 0 forces a lookup by number for each block and entrant, even if the
// planner expects few rows.
void AskForWanted(const CompetitionId& id, const WantedOfCompetition& wanted,
                  std::vector<Query>* queries) {
#define REFEREE_THIS "competition = (SELECT key FROM competition WHERE id = $1)"
  const std::vector<int64_t> blocks(wanted.blocks.begin(), wanted.blocks.end());
  const std::vector<int64_t> entrants(wanted.entrants.begin(), wanted.entrants.end());
  queries->push_back(
      {"SELECT max(number) + 1 FROM entrant WHERE " REFEREE_THIS, Params::Of(id.text())});
  queries->push_back(
      {"SELECT found.* FROM unnest($2::bigint[]) AS wanted(wanted_number) CROSS JOIN LATERAL "
       "(SELECT " REFEREE_BLOCK_COLUMNS " FROM block WHERE " REFEREE_THIS
       " AND number = wanted_number OFFSET 0) AS found",
       Params::Of(id.text(), blocks)});
  queries->push_back({"SELECT number FROM block WHERE " REFEREE_THIS
                      " AND state = 'RUNNING' AND number < $2",
                      Params::Of(id.text(), wanted.open_below)});
  queries->push_back(
      {"SELECT found.* FROM unnest($2::bigint[]) AS wanted(wanted_number) CROSS JOIN LATERAL "
       "(SELECT number FROM entrant WHERE " REFEREE_THIS
       " AND number = wanted_number AND presence = 'IN' OFFSET 0) AS found",
       Params::Of(id.text(), entrants)});
#undef REFEREE_THIS
}

// Consumes the four results of AskForWanted.
absl::StatusOr<ChangedCompetition> CompetitionIn(const postgres::Connection& db, const Lease& lease,
                                                 const CompetitionId& id, const Head& head,
                                                 absl::Span<SqlStatement> results) {
  const int entrants = results[0].Step() ? static_cast<int>(results[0].Int(0)) : 0;
  ChangedCompetition competition(lease, head, entrants);
  while (results[1].Step()) {
    BlockRow row;
    if (!ReadBlockRow(results[1], &row)) {
      return PostgresStoreDamaged(db.name(),
                                  absl::StrCat("competition ", id.text(), ", block ", row.number));
    }
    competition.AddBlock(std::move(row));
  }
  while (results[2].Step()) competition.AddOpenBlock(results[2].Int(0));
  while (results[3].Step()) {
    competition.AddEntrantThatIsIn(static_cast<int>(results[3].Int(0)));
  }
  return competition;
}

// Begins the transaction, and reads. Each statement leaves little choice to the planner, so one
// plan suffices.
absl::StatusOr<Competitions> ReadCompetitions(postgres::Connection* db,
                                              const absl::optional<absl::Time>& now,
                                              const Lease& lease,
                                              absl::Span<const Change> changes) {
  const std::map<CompetitionId, WantedOfCompetition> wanted = WantedBy(changes);
  std::vector<Query> queries;
  queries.push_back({"BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE"});
  queries.push_back({"SET LOCAL plan_cache_mode = force_generic_plan"});
  AskForLease(lease, &queries);
  const size_t heads = queries.size();
  for (const auto& [id, named] : wanted) AskForHead(id, &queries);
  const size_t others = queries.size();
  for (const auto& [id, named] : wanted) AskForWanted(id, named, &queries);
  absl::StatusOr<std::vector<Result>> results = db->RunAll(queries);
  if (!results.ok()) return results.status();
  std::vector<SqlStatement> read;
  for (Result& result : *results) read.emplace_back(postgres::Statement(std::move(result)));
  if (absl::Status s = CheckLeaseIn(lease, now, &read[heads - 1]); !s.ok()) return s;

  Competitions competitions;
  size_t place = 0;
  for (const auto& [id, named] : wanted) {
    SqlStatement& row = read[heads + place];
    const auto rest = absl::MakeSpan(read).subspan(others + 4 * place, 4);
    ++place;
    Head head;
    if (!row.Step()) continue;  // MakeChanges refuses the change that names it
    if (!ReadHeadRow(row, &head)) {
      return PostgresStoreDamaged(db->name(), absl::StrCat("competition ", id.text()));
    }
    absl::StatusOr<ChangedCompetition> competition = CompetitionIn(*db, lease, id, head, rest);
    if (!competition.ok()) return competition.status();
    competitions.emplace(id, *std::move(competition));
  }
  return competitions;
}

// --- Writing the results ---

using BlockRows =
    Rows<int64_t, int64_t, absl::string_view, int64_t, absl::string_view, absl::string_view,
         absl::string_view, absl::string_view, absl::string_view, absl::string_view,
         absl::string_view, absl::string_view, int64_t, absl::optional<int64_t>>;

#define REFEREE_INSERT_BLOCKS                                                                     \
  "INSERT INTO block(competition, number, bots, attempt, state, block_id, match_ids, results, "   \
  "times, forfeited_by, reason, owner, begin_time, end_time) SELECT * FROM unnest($1::bigint[], " \
  "$2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[], "      \
  "$9::text[], $10::text[], $11::text[], $12::text[], $13::bigint[], $14::bigint[])"
constexpr char kInsertBlocks[] = REFEREE_INSERT_BLOCKS;
// All rows exist: the conflict clause finds each by its number. For an UPDATE of many rows the
// planner could choose another way.
constexpr char kReplaceBlocks[] = REFEREE_INSERT_BLOCKS
    " ON CONFLICT(competition, number) DO UPDATE SET attempt = excluded.attempt, state = "
    "excluded.state, block_id = excluded.block_id, match_ids = excluded.match_ids, results = "
    "excluded.results, times = excluded.times, forfeited_by = excluded.forfeited_by, reason = "
    "excluded.reason, owner = excluded.owner, end_time = excluded.end_time";

void WriteBlocks(const Competitions& competitions, std::vector<Query>* queries) {
  BlockRows begun;
  BlockRows changed;
  for (const auto& [id, competition] : competitions) {
    for (const auto& [number, block] : competition.blocks()) {
      if (!block.is_new && !block.differs) continue;
      const BlockRow& row = block.row;
      absl::optional<int64_t> end;
      if (row.end_time) end = absl::ToUnixMicros(*row.end_time);
      (block.is_new ? begun : changed)
          .Add(competition.head().key, number, row.bots, row.attempt,
               NameOf(kBlockStates, row.state), row.block_id, row.match_ids, row.results, row.times,
               row.forfeited_by, row.reason, row.owner, absl::ToUnixMicros(row.begin_time), end);
    }
  }
  if (!begun.empty()) queries->push_back({kInsertBlocks, begun.params()});
  if (!changed.empty()) queries->push_back({kReplaceBlocks, changed.params()});
}

void WriteAttempts(const Competitions& competitions, std::vector<Query>* queries) {
  Rows<int64_t, int64_t, int64_t, absl::string_view, std::string, std::string, std::string,
       absl::string_view, absl::string_view, absl::string_view, int64_t>
      attempts;
  for (const auto& [id, competition] : competitions) {
    for (const ChangedCompetition::OnRecord& made : competition.attempts()) {
      const Attempt& attempt = *made.attempt;
      attempts.Add(competition.head().key, made.block, made.number, attempt.block_id,
                   MatchIdsText(attempt.matches), ResultsText(attempt.matches),
                   TimesText(attempt.matches), NameOf(kEndings, attempt.ending), attempt.reason,
                   attempt.cancelled_by, absl::ToUnixMicros(attempt.end_time));
    }
  }
  if (attempts.empty()) return;
  queries->push_back(
      {"INSERT INTO attempt(competition, number, attempt, block_id, match_ids, "
       "results, times, ending, reason, cancelled_by, end_time) SELECT * FROM "
       "unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], "
       "$6::text[], $7::text[], $8::text[], $9::text[], $10::text[], "
       "$11::bigint[])",
       attempts.params()});
}

void WriteBegun(const Competitions& competitions, std::vector<Query>* queries) {
  Rows<int64_t, int64_t, int64_t> bots;
  Rows<int64_t, int64_t, int64_t> counts;
  for (const auto& [id, competition] : competitions) {
    const int64_t key = competition.head().key;
    for (const ChangedCompetition::Begun& begun : competition.begun()) {
      bots.Add(key, begun.entrant, begun.block);
    }
    for (const auto& [entrant, blocks] : competition.blocks_begun()) {
      counts.Add(key, entrant, blocks);
    }
  }
  if (bots.empty()) return;
  queries->push_back(
      {"INSERT INTO block_bot(competition, entrant, number) SELECT * FROM "
       "unnest($1::bigint[], $2::bigint[], $3::bigint[])",
       bots.params()});
  queries->push_back(
      {"UPDATE entrant SET blocks_begun = blocks_begun + begun.blocks FROM "
       "unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS begun(competition, "
       "number, blocks) WHERE entrant.competition = begun.competition AND "
       "entrant.number = begun.number",
       counts.params()});
}

void WriteTallies(const Competitions& competitions, std::vector<Query>* queries) {
  Rows<int64_t, int64_t, double, double, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
       int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t>
      tallies;
  for (const auto& [id, competition] : competitions) {
    for (const auto& [entrant, tally] : competition.tallies()) {
      const Conduct& conduct = tally->conduct;
      tallies.Add(competition.head().key, entrant, tally->rating.mu, tally->rating.sigma,
                  tally->blocks, tally->wins, tally->draws, tally->losses, tally->forfeits,
                  tally->half_points, tally->silences, conduct.voids, conduct.late_voids,
                  absl::ToInt64Nanoseconds(conduct.given_back), conduct.time_losses,
                  conduct.lost_links, absl::ToUnixMicros(tally->silent_until));
    }
  }
  if (tallies.empty()) return;
  queries->push_back(
      {"UPDATE entrant SET mu = now.mu, sigma = now.sigma, blocks = now.blocks, wins = now.wins, "
       "draws = now.draws, losses = now.losses, forfeits = now.forfeits, half_points = "
       "now.half_points, silences = now.silences, voids = now.voids, late_voids = now.late_voids, "
       "given_back_ns = now.given_back_ns, time_losses = now.time_losses, lost_links = "
       "now.lost_links, silent_until = now.silent_until FROM unnest($1::bigint[], $2::bigint[], "
       "$3::double precision[], $4::double "
       "precision[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], "
       "$10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::bigint[], "
       "$16::bigint[], $17::bigint[]) AS now(competition, number, mu, sigma, blocks, wins, draws, "
       "losses, forfeits, half_points, silences, voids, late_voids, given_back_ns, time_losses, "
       "lost_links, silent_until) WHERE entrant.competition = now.competition AND entrant.number = "
       "now.number",
       tallies.params()});
}

void WritePairs(const Competitions& competitions, std::vector<Query>* queries) {
  Rows<int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t> pairs;
  for (const auto& [id, competition] : competitions) {
    for (const auto& [bots, pair] : competition.pairs()) {
      const std::array<int64_t, 5>& blocks = pair.blocks;
      pairs.Add(competition.head().key, pair.low, pair.high, blocks[0], blocks[1], blocks[2],
                blocks[3], blocks[4], pair.draws);
    }
  }
  if (pairs.empty()) return;
  queries->push_back(
      {"INSERT INTO pair_total AS total(competition, low, high, blocks_0, blocks_1, blocks_2, "
       "blocks_3, blocks_4, draws) SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], "
       "$4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[]) ON "
       "CONFLICT(competition, low, high) DO UPDATE SET blocks_0 = total.blocks_0 + "
       "excluded.blocks_0, blocks_1 = total.blocks_1 + excluded.blocks_1, blocks_2 = "
       "total.blocks_2 + excluded.blocks_2, blocks_3 = total.blocks_3 + excluded.blocks_3, "
       "blocks_4 = total.blocks_4 + excluded.blocks_4, draws = total.draws + excluded.draws",
       pairs.params()});
}

// Writes rows that change rarely, or once per competition.
void WriteRest(const ChangedCompetition& competition, std::vector<Query>* queries) {
  const Head& head = competition.head();
  for (const ChangedCompetition::SetAside& out : competition.set_aside()) {
    queries->push_back(
        {"UPDATE entrant SET presence = 'SET_ASIDE', reason = $1, out_from = $2, suspended_until "
         "= $3, suspended_for_ns = $4 WHERE competition = $5 AND number = $6",
         Params::Of(out.reason, out.out_from, SuspendedUntil(out.suspension),
                    SuspendedFor(out.suspension), head.key, out.entrant)});
  }
  for (const ChangedCompetition::Surplus& surplus : competition.surplus()) {
    queries->push_back(
        {"UPDATE block SET state = 'DROPPED', reason = $1, "
         "results = CASE forfeited_by WHEN '' THEN results ELSE '' END, "
         "times = CASE forfeited_by WHEN '' THEN times ELSE '' END, forfeited_by = "
         "'' WHERE competition = $2 AND number >= $3 AND number < $4 AND state = "
         "'PLAYED'",
         Params::Of(surplus.reason, head.key, surplus.from, surplus.to)});
  }
  queries->push_back(
      {"UPDATE competition SET version = $1, next_block = $2, counted = $3, "
       "replayed = $4 WHERE key = $5",
       Params::Of(head.version, head.next_block, head.counted, head.replayed, head.key)});
}

}  // namespace

absl::Status ApplyOnPostgres(postgres::Connection* db, const absl::optional<absl::Time>& now,
                             const Lease& lease, absl::Span<const Change> changes) {
  const postgres::Transaction transaction(db);  // rolled back unless committed below
  absl::StatusOr<Competitions> competitions = ReadCompetitions(db, now, lease, changes);
  if (!competitions.ok()) return competitions.status();
  if (absl::Status made = MakeChanges(changes, &*competitions); !made.ok()) return made;
  std::vector<Query> queries;
  WriteBlocks(*competitions, &queries);
  WriteAttempts(*competitions, &queries);
  WriteBegun(*competitions, &queries);
  WriteTallies(*competitions, &queries);
  WritePairs(*competitions, &queries);
  for (const auto& [id, competition] : *competitions) WriteRest(competition, &queries);
  queries.push_back({"COMMIT"});
  const absl::StatusOr<std::vector<Result>> results = db->RunAll(queries);
  if (!results.ok()) return results.status();
  return results->back().command() == "COMMIT" ? absl::OkStatus()
                                               : postgres::NotCommitted(db->name());
}

}  // namespace referee::store
