// The calls of SqlStore for blocks and pair totals. block_changes.h computes changes of blocks.

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/store/block_text.h"
#include "referee/store/errors.h"
#include "referee/store/names.h"
#include "referee/store/sql_store.h"
#include "referee/store/tables.h"

namespace referee::store {
namespace {

constexpr int kBlockColumns = 13;  // in REFEREE_BLOCK_COLUMNS
constexpr int kOutcomesAtOnce = 1000;

// Returns whether the match has a result for each of `n` seats.
bool HasResult(const match::Verdict& verdict, size_t n) {
  return verdict.scores.size() == n && verdict.ranks.size() == n;
}

bool HasSeatsOfForfeits(const match::Verdict& verdict, size_t n) {
  return std::all_of(verdict.forfeits.begin(), verdict.forfeits.end(),
                     [n](const match::SeatForfeit& forfeit) {
                       return static_cast<size_t>(forfeit.seat.index()) < n;
                     });
}

// Returns whether each match of a PLAYED block has a result for every seat.
bool HasResults(const Block& block) {
  const size_t n = block.pairing.bots.size();
  return block.matches.size() == n &&
         std::all_of(block.matches.begin(), block.matches.end(), [n](const BlockMatch& match) {
           return HasResult(match.verdict, n) && HasSeatsOfForfeits(match.verdict, n);
         });
}

// Returns whether each match of a failed attempt has a result for every seat, or none. True if the
// matches were never made.
bool HasResultsOrNone(const Attempt& attempt, size_t n) {
  if (attempt.matches.empty()) return true;
  return attempt.matches.size() == n &&
         std::all_of(attempt.matches.begin(), attempt.matches.end(), [n](const BlockMatch& match) {
           const match::Verdict& verdict = match.verdict;
           const bool none = verdict.scores.empty() && verdict.ranks.empty();
           return (none || HasResult(verdict, n)) && HasSeatsOfForfeits(verdict, n);
         });
}

absl::Status Damaged(const SqlDatabase& db, const CompetitionId& id, int64_t number) {
  return db.Damaged(absl::StrCat("competition ", id.text(), ", block ", number));
}

absl::StatusOr<Block> ReadBlock(const SqlDatabase& db, const SqlStatement& at, CompetitionId id) {
  BlockRow row;
  const bool known = ReadBlockRow(at, &row);
  Block block;
  block.competition = std::move(id);
  block.number = row.number;
  block.attempt = row.attempt;
  block.state = row.state;
  block.block_id = std::move(row.block_id);
  block.owner = std::move(row.owner);
  block.begin_time = row.begin_time;
  block.end_time = row.end_time;
  block.reason = std::move(row.reason);
  rating::Pairing gone;
  if (!known || !ReadPairing(row.bots, &block.pairing) ||
      !ReadMatchIds(row.match_ids, &block.matches) || !ReadResults(row.results, &block.matches) ||
      !ReadTimes(row.times, &block.matches) ||
      (!row.forfeited_by.empty() && !ReadPairing(row.forfeited_by, &gone)) ||
      (block.state == BlockState::kPlayed && !HasResults(block))) {
    return Damaged(db, block.competition, block.number);
  }
  block.forfeited_by = std::move(gone.bots);
  return block;
}

// Adds the records of attempts to the blocks, which are in order of numbers.
absl::Status AddAttempts(SqlDatabase* db, int64_t key, std::vector<Block>* blocks) {
  if (blocks->empty()) return absl::OkStatus();
  SqlStatement list = db->Prepare(
      "SELECT number, attempt, block_id, match_ids, results, times, ending, reason, end_time, "
      "cancelled_by FROM attempt WHERE competition = ? AND number BETWEEN ? AND ? ORDER BY number, "
      "attempt");
  list.Bind(key, blocks->front().number, blocks->back().number);
  auto block = blocks->begin();
  while (list.Step()) {
    const int64_t number = list.Int(0);
    while (block != blocks->end() && block->number < number) ++block;
    if (block == blocks->end()) break;
    if (block->number > number) continue;  // of a block outside of the result
    Attempt attempt;
    attempt.number = static_cast<int>(list.Int(1));
    attempt.block_id = list.String(2);
    attempt.reason = list.String(7);
    attempt.end_time = list.Time(8);
    attempt.cancelled_by = list.String(9);
    if (!ReadMatchIds(list.Text(3), &attempt.matches) ||
        !ReadResults(list.Text(4), &attempt.matches) ||
        !ReadTimes(list.Text(5), &attempt.matches) ||
        !ReadName(kEndings, list.Text(6), &attempt.ending) ||
        !HasResultsOrNone(attempt, block->pairing.bots.size())) {
      return Damaged(*db, block->competition, number);
    }
    block->attempts.push_back(std::move(attempt));
  }
  return list.status();
}

// Returns the blocks of a statement, in order of numbers, with their attempts.
absl::StatusOr<std::vector<Block>> ReadBlocks(SqlDatabase* db, SqlStatement* statement, int64_t key,
                                              const CompetitionId& id) {
  absl::StatusOr<std::vector<Block>> blocks =
      ReadRows<Block>(statement, [&](const SqlStatement& row) { return ReadBlock(*db, row, id); });
  if (!blocks.ok()) return blocks;
  if (absl::Status read = AddAttempts(db, key, &*blocks); !read.ok()) return read;
  return blocks;
}

#define REFEREE_PAIR_COLUMNS "low, high, blocks_0, blocks_1, blocks_2, blocks_3, blocks_4, draws"

absl::StatusOr<std::vector<PairTotal>> ReadPairs(SqlStatement* list) {
  return ReadRows<PairTotal>(list, [](const SqlStatement& row) {
    return PairTotal{static_cast<int>(row.Int(0)),
                     static_cast<int>(row.Int(1)),
                     {row.Int(2), row.Int(3), row.Int(4), row.Int(5), row.Int(6)},
                     row.Int(7)};
  });
}

// A RUNNING block that changes its owner.
struct Handed {
  int64_t key = 0;  // of its competition
  Block block;
};

// Returns the rows of a statement, by competition and number.
absl::StatusOr<std::vector<Handed>> ListHanded(SqlDatabase* db, SqlStatement* list) {
  return ReadRows<Handed>(list, [&](const SqlStatement& row) -> absl::StatusOr<Handed> {
    absl::StatusOr<Block> block = ReadBlock(*db, row, CompetitionId(row.String(kBlockColumns)));
    if (!block.ok()) return block.status();
    return Handed{row.Int(kBlockColumns + 1), *std::move(block)};
  });
}

#define REFEREE_SELECT_OPEN                                                                   \
  "SELECT " REFEREE_BLOCK_COLUMNS                                                             \
  ", competition.id, block.competition FROM block INDEXED BY open_block JOIN competition ON " \
  "competition.key = block.competition "

absl::Status SetOwner(SqlDatabase* db, absl::string_view owner, Handed* handed) {
  handed->block.owner = std::string(owner);
  return db->Run("UPDATE block SET owner = ? WHERE competition = ? AND number = ?", owner,
                 handed->key, handed->block.number);
}

// Begins the next attempt at a block whose matches are not named.
absl::Status LeaveAttempt(SqlDatabase* db, absl::Time now, Handed* handed) {
  Block& block = handed->block;
  absl::Status left =
      PutOnRecord(db, handed->key, block.number, block.attempt, LeftAttempt(block.attempt, now));
  if (!left.ok()) return left;
  ++block.attempt;
  left = db->Run("UPDATE block SET attempt = ? WHERE competition = ? AND number = ?", block.attempt,
                 handed->key, block.number);
  if (!left.ok()) return left;
  return db->Run("UPDATE competition SET replayed = replayed + 1 WHERE key = ?", handed->key);
}

std::vector<Block> BlocksOf(std::vector<Handed> handed) {
  std::vector<Block> blocks;
  blocks.reserve(handed.size());
  for (Handed& one : handed) blocks.push_back(std::move(one.block));
  return blocks;
}

}  // namespace

bool ReadBlockRow(const SqlStatement& row, BlockRow* block) {
  block->number = row.Int(0);
  block->bots = row.String(1);
  block->attempt = static_cast<int>(row.Int(2));
  block->block_id = row.String(4);
  block->match_ids = row.String(5);
  block->results = row.String(6);
  block->times = row.String(7);
  block->forfeited_by = row.String(8);
  block->reason = row.String(9);
  block->owner = row.String(10);
  block->begin_time = row.Time(11);
  block->end_time = row.OptionalTime(12);
  return ReadName(kBlockStates, row.Text(3), &block->state);
}

absl::Status PutOnRecord(SqlDatabase* db, int64_t key, int64_t block, int number,
                         const Attempt& attempt) {
  return db->Run(
      "INSERT INTO attempt(competition, number, attempt, block_id, match_ids, results, times, "
      "ending, reason, end_time, cancelled_by) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      key, block, number, attempt.block_id, MatchIdsText(attempt.matches),
      ResultsText(attempt.matches), TimesText(attempt.matches), NameOf(kEndings, attempt.ending),
      attempt.reason, attempt.end_time, attempt.cancelled_by);
}

absl::StatusOr<std::vector<Block>> SqlStore::ClaimExpired(const Lease& lease) {
  using Claimed = absl::StatusOr<std::vector<Block>>;
  return WriteUnder(Writes::kClaim, lease, [&](SqlDatabase* db, absl::Time now) -> Claimed {
    const absl::Status ended = db->Run("DELETE FROM lease WHERE until <= ?", now);
    if (!ended.ok()) return ended;
    SqlStatement list =
        db->Prepare(REFEREE_SELECT_OPEN
                    "LEFT JOIN lease USING(owner) WHERE block.state = 'RUNNING' AND term IS NULL "
                    "AND competition.home = ? ORDER BY competition.id, block.number");
    list.Bind(lease.term);
    absl::StatusOr<std::vector<Handed>> left = ListHanded(db, &list);
    if (!left.ok()) return left.status();
    for (Handed& one : *left) {
      absl::Status claimed = SetOwner(db, lease.owner, &one);
      if (claimed.ok() && one.block.matches.empty()) claimed = LeaveAttempt(db, now, &one);
      if (!claimed.ok()) return claimed;
    }
    return BlocksOf(*std::move(left));
  });
}

absl::StatusOr<std::vector<Block>> SqlStore::TakeOver(const Lease& lease,
                                                      absl::Span<const std::string> owners) {
  using Taken = absl::StatusOr<std::vector<Block>>;
  return WriteUnder(Writes::kClaim, lease, [&](SqlDatabase* db, absl::Time) -> Taken {
    for (const std::string& owner : owners) {
      absl::Status moved = db->Run(
          "UPDATE competition SET home = ? WHERE home = (SELECT term FROM lease WHERE owner = ?) "
          "AND state <> 'FINISHED'",
          lease.term, owner);
      if (moved.ok()) moved = db->Run("DELETE FROM lease WHERE owner = ?", owner);
      if (!moved.ok()) return moved;
    }
    SqlStatement list = db->Prepare(REFEREE_SELECT_OPEN
                                    "WHERE block.state = 'RUNNING' ORDER BY competition.id, "
                                    "block.number");
    absl::StatusOr<std::vector<Handed>> open = ListHanded(db, &list);
    if (!open.ok()) return open.status();
    std::vector<Handed> taken;
    for (Handed& one : *open) {
      if (std::find(owners.begin(), owners.end(), one.block.owner) == owners.end()) continue;
      if (absl::Status set = SetOwner(db, lease.owner, &one); !set.ok()) return set;
      taken.push_back(std::move(one));
    }
    return BlocksOf(std::move(taken));
  });
}

// --- Reading ---

absl::StatusOr<std::vector<Block>> SqlStore::ListOpenBlocks(const CompetitionId& id) {
  return ReadOf(id, [&](SqlDatabase* db, const Head& head) {
    SqlStatement list =
        db->Prepare("SELECT " REFEREE_BLOCK_COLUMNS
                    " FROM block INDEXED BY open_block WHERE competition = ? AND state = 'RUNNING' "
                    "ORDER BY number");
    list.Bind(head.key);
    return ReadBlocks(db, &list, head.key, id);
  });
}

absl::StatusOr<Block> SqlStore::GetBlock(const CompetitionId& id, int64_t number) {
  absl::StatusOr<std::vector<Block>> blocks = SqlStore::ListBlocks(id, number, 1, absl::nullopt);
  if (!blocks.ok()) return blocks.status();
  const bool found = !blocks->empty() && blocks->front().number == number;
  return found ? std::move(blocks->front()) : absl::StatusOr<Block>(NoBlock(id.text(), number));
}

absl::StatusOr<std::vector<Block>> SqlStore::ListBlocks(const CompetitionId& id, int64_t from,
                                                        int limit, absl::optional<int> entrant) {
  return ReadOf(id, [&](SqlDatabase* db, const Head& head) {
    SqlStatement list = db->Prepare(
        entrant ? "SELECT " REFEREE_BLOCK_COLUMNS
                  " FROM block WHERE competition = ?1 AND number IN (SELECT number FROM block_bot "
                  "WHERE competition = ?1 AND entrant = ?4 AND number >= ?2 ORDER BY number LIMIT "
                  "?3) ORDER BY number"
                : "SELECT " REFEREE_BLOCK_COLUMNS
                  " FROM block WHERE competition = ? AND number >= ? ORDER BY number LIMIT ?");
    list.Bind(head.key, from, limit);
    if (entrant) list.Bind(*entrant);
    return ReadBlocks(db, &list, head.key, id);
  });
}

absl::StatusOr<std::vector<Block>> SqlStore::ListBlocksBelow(const CompetitionId& id, int64_t below,
                                                             int limit,
                                                             absl::optional<int> entrant) {
  absl::StatusOr<std::vector<Block>> blocks = ReadOf(id, [&](SqlDatabase* db, const Head& head) {
    SqlStatement list = db->Prepare(
        entrant ? "SELECT " REFEREE_BLOCK_COLUMNS
                  " FROM block WHERE competition = ?1 AND number IN (SELECT number FROM block_bot "
                  "WHERE competition = ?1 AND entrant = ?4 AND number < ?2 ORDER BY number DESC "
                  "LIMIT ?3) ORDER BY number"
                : "SELECT * FROM (SELECT " REFEREE_BLOCK_COLUMNS
                  " FROM block WHERE competition = ? AND number < ? ORDER BY number DESC LIMIT ?) "
                  "AS block ORDER BY number");
    list.Bind(head.key, below, limit);
    if (entrant) list.Bind(*entrant);
    return ReadBlocks(db, &list, head.key, id);
  });
  if (blocks.ok()) std::reverse(blocks->begin(), blocks->end());
  return blocks;
}

absl::StatusOr<std::vector<PairTotal>> SqlStore::ReadPairTotals(const CompetitionId& id) {
  return ListPairTotals(id, {0, 0}, std::numeric_limits<int>::max(), absl::nullopt);
}

absl::StatusOr<std::vector<PairTotal>> SqlStore::ListPairTotals(const CompetitionId& id,
                                                                std::pair<int, int> from, int limit,
                                                                absl::optional<int> entrant) {
  return ReadOf(id, [&](SqlDatabase* db, const Head& head) {
    if (!entrant.has_value()) {
      SqlStatement list =
          db->Prepare("SELECT " REFEREE_PAIR_COLUMNS
                      " FROM pair_total WHERE competition = ? AND (low, high) >= (?, ?) "
                      "ORDER BY low, high LIMIT ?");
      list.Bind(head.key, from.first, from.second, limit);
      return ReadPairs(&list);
    }
    // Look up pairs with the entrant as the higher one by one: a scan for them would read all
    // pairs.
    const int64_t first_low = int64_t{from.first} + (from.second > *entrant ? 1 : 0);
    const int first_high = *entrant > from.first    ? 0
                           : *entrant == from.first ? from.second
                                                    : std::numeric_limits<int>::max();
    SqlStatement list =
        db->Prepare("SELECT " REFEREE_PAIR_COLUMNS
                    " FROM pair_total WHERE competition = ?1 AND high = ?2 AND low IN (SELECT "
                    "number FROM entrant WHERE competition = ?1 AND number >= ?3 AND number < ?2) "
                    "UNION ALL SELECT " REFEREE_PAIR_COLUMNS
                    " FROM pair_total WHERE competition = ?1 AND low = ?2 AND high >= ?4 "
                    "ORDER BY low, high LIMIT ?5");
    list.Bind(head.key, *entrant, first_low, first_high, limit);
    return ReadPairs(&list);
  });
}

absl::Status SqlStore::ReadOutcomes(
    const CompetitionId& id, int64_t from, int64_t to,
    absl::FunctionRef<bool(int64_t number, const rating::BlockOutcome& outcome)> take) {
  // Not repeatable: `take` has already seen the outcomes.
  return InRead(false, [&](SqlDatabase* db) -> absl::Status {
    const absl::StatusOr<Head> head = ReadHead(db, id);
    if (!head.ok()) return head.status();
    Block block;
    // Read by pages, since a client may hold a whole result in memory.
    for (int64_t next = from;;) {
      SqlStatement list = db->Prepare(
          "SELECT number, bots, results FROM block WHERE competition = ? AND number >= ? AND "
          "number < ? AND state = 'PLAYED' ORDER BY number LIMIT ?");
      list.Bind(head->key, next, to, kOutcomesAtOnce);
      int read = 0;
      for (; list.Step(); ++read) {
        const int64_t number = list.Int(0);
        if (!ReadPairing(list.Text(1), &block.pairing)) return Damaged(*db, id, number);
        block.matches.resize(block.pairing.bots.size());
        if (!ReadResults(list.Text(2), &block.matches) || !HasResults(block)) {
          return Damaged(*db, id, number);
        }
        if (!take(number, OutcomeOf(block))) return absl::OkStatus();
        next = number + 1;
      }
      if (!list.status().ok() || read < kOutcomesAtOnce) return list.status();
    }
  });
}

}  // namespace referee::store
