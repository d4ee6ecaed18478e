#include "referee/store/block_table.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/store/block_text.h"
#include "referee/store/competition_table.h"
#include "referee/store/errors.h"
#include "referee/store/names.h"

namespace referee::store::block_table {
namespace {

using competition_table::ReadHead;

#define REFEREE_BLOCK_COLUMNS                                                                   \
  "block.number, bots, attempt, block.state, block_id, match_ids, results, owner, begin_time, " \
  "end_time, times, forfeited_by, block.reason"

constexpr int kBlockColumns = 13;  // of these
constexpr int kOutcomesAtOnce = 1000;

// Whether the match has a result for each of `n` seats.
bool HasResult(const match::Verdict& verdict, size_t n) {
  return verdict.scores.size() == n && verdict.ranks.size() == n;
}

bool HasSeatsOfForfeits(const match::Verdict& verdict, size_t n) {
  return std::all_of(verdict.forfeits.begin(), verdict.forfeits.end(),
                     [n](const match::SeatForfeit& forfeit) {
                       return static_cast<size_t>(forfeit.seat.index()) < n;
                     });
}

// Whether each match of a PLAYED block has a result for every seat.
bool HasResults(const Block& block) {
  const size_t n = block.pairing.bots.size();
  return block.matches.size() == n &&
         std::all_of(block.matches.begin(), block.matches.end(), [n](const BlockMatch& match) {
           return HasResult(match.verdict, n) && HasSeatsOfForfeits(match.verdict, n);
         });
}

// Whether each match of an attempt that came to nothing has a result for every seat, or none; if
// they were made at all.
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

absl::StatusOr<Block> ReadBlock(const SqlDatabase& db, const SqlStatement& row, CompetitionId id) {
  Block block;
  block.competition = std::move(id);
  block.number = row.Int(0);
  block.attempt = static_cast<int>(row.Int(2));
  block.block_id = row.String(4);
  block.owner = row.String(7);
  block.begin_time = row.Time(8);
  block.end_time = row.OptionalTime(9);
  block.reason = row.String(12);
  rating::Pairing gone;
  if (!ReadPairing(row.Text(1), &block.pairing) ||
      !ReadName(kBlockStates, row.Text(3), &block.state) ||
      !ReadMatchIds(row.Text(5), &block.matches) || !ReadResults(row.Text(6), &block.matches) ||
      !ReadTimes(row.Text(10), &block.matches) ||
      (!row.Text(11).empty() && !ReadPairing(row.Text(11), &gone)) ||
      (block.state == BlockState::kPlayed && !HasResults(block))) {
    return Damaged(db, block.competition, block.number);
  }
  block.forfeited_by = std::move(gone.bots);
  return block;
}

// Adds the records of their attempts. The blocks are in order of numbers.
absl::Status AddAttempts(SqlDatabase* db, int64_t key, std::vector<Block>* blocks) {
  if (blocks->empty()) return absl::OkStatus();
  SqlStatement list = db->Prepare(
      "SELECT number, attempt, block_id, match_ids, results, times, ending, reason, end_time, "
      "cancelled_by FROM "
      "attempt WHERE competition = ? AND number BETWEEN ? AND ? ORDER BY number, attempt");
  list.Bind(key, blocks->front().number, blocks->back().number);
  auto block = blocks->begin();
  while (list.Step()) {
    const int64_t number = list.Int(0);
    while (block != blocks->end() && block->number < number) ++block;
    if (block == blocks->end()) break;
    if (block->number > number) continue;  // of a block that was not asked for
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

enum class Order { kUp, kDown };

// The statement gives them in this order of their numbers.
absl::StatusOr<std::vector<Block>> ReadAll(SqlDatabase* db, SqlStatement* statement, int64_t key,
                                           const CompetitionId& id, Order order = Order::kUp) {
  std::vector<Block> blocks;
  while (statement->Step()) {
    absl::StatusOr<Block> block = ReadBlock(*db, *statement, id);
    if (!block.ok()) return block.status();
    blocks.push_back(*std::move(block));
  }
  if (!statement->status().ok()) return statement->status();
  if (order == Order::kDown) std::reverse(blocks.begin(), blocks.end());
  if (absl::Status read = AddAttempts(db, key, &blocks); !read.ok()) return read;
  if (order == Order::kDown) std::reverse(blocks.begin(), blocks.end());
  return blocks;
}

// Without its attempts.
absl::StatusOr<Block> ReadOne(SqlDatabase* db, int64_t key, const CompetitionId& id,
                              int64_t number) {
  SqlStatement find = db->Prepare("SELECT " REFEREE_BLOCK_COLUMNS
                                  " FROM block WHERE competition = ? AND number = ?");
  find.Bind(key, number);
  if (find.Step()) return ReadBlock(*db, find, id);
  return find.status().ok() ? NoBlock(id.text(), number) : find.status();
}

#define REFEREE_PAIR_COLUMNS "low, high, blocks_0, blocks_1, blocks_2, blocks_3, blocks_4, draws"

absl::StatusOr<std::vector<PairTotal>> ReadPairs(SqlStatement* list) {
  std::vector<PairTotal> pairs;
  while (list->Step()) {
    pairs.push_back({static_cast<int>(list->Int(0)),
                     static_cast<int>(list->Int(1)),
                     {list->Int(2), list->Int(3), list->Int(4), list->Int(5), list->Int(6)},
                     list->Int(7)});
  }
  if (!list->status().ok()) return list->status();
  return pairs;
}

// A RUNNING block that gets another owner.
struct Handed {
  int64_t key = 0;  // of its competition
  Block block;
};

// By competition and number; of the owners of these leases, or of those without one.
absl::StatusOr<std::vector<Handed>> ListHanded(SqlDatabase* db, SqlStatement* list) {
  std::vector<Handed> handed;
  while (list->Step()) {
    absl::StatusOr<Block> block = ReadBlock(*db, *list, CompetitionId(list->String(kBlockColumns)));
    if (!block.ok()) return block.status();
    handed.push_back({list->Int(kBlockColumns + 1), *std::move(block)});
  }
  if (!list->status().ok()) return list->status();
  return handed;
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

// Begins the next attempt at a block whose matches have no names.
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

absl::Status PutOnRecord(SqlDatabase* db, int64_t key, int64_t block, int number,
                         const Attempt& attempt) {
  return db->Run(
      "INSERT INTO attempt(competition, number, attempt, block_id, match_ids, results, times, "
      "ending, reason, end_time, cancelled_by) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      key, block, number, attempt.block_id, MatchIdsText(attempt.matches),
      ResultsText(attempt.matches), TimesText(attempt.matches), NameOf(kEndings, attempt.ending),
      attempt.reason, attempt.end_time, attempt.cancelled_by);
}

absl::StatusOr<std::vector<Block>> ClaimLeft(SqlDatabase* db, const Lease& lease, absl::Time now) {
  SqlStatement list = db->Prepare(REFEREE_SELECT_OPEN
                                  "LEFT JOIN lease USING(owner) WHERE block.state = 'RUNNING' AND "
                                  "term IS NULL AND competition.home = ? ORDER BY competition.id, "
                                  "block.number");
  list.Bind(lease.term);
  absl::StatusOr<std::vector<Handed>> left = ListHanded(db, &list);
  if (!left.ok()) return left.status();
  for (Handed& one : *left) {
    absl::Status claimed = SetOwner(db, lease.owner, &one);
    if (claimed.ok() && one.block.matches.empty()) claimed = LeaveAttempt(db, now, &one);
    if (!claimed.ok()) return claimed;
  }
  return BlocksOf(*std::move(left));
}

absl::StatusOr<std::vector<Block>> TakeOver(SqlDatabase* db, absl::string_view owner,
                                            absl::Span<const std::string> former) {
  SqlStatement list = db->Prepare(REFEREE_SELECT_OPEN
                                  "WHERE block.state = 'RUNNING' ORDER BY competition.id, "
                                  "block.number");
  absl::StatusOr<std::vector<Handed>> open = ListHanded(db, &list);
  if (!open.ok()) return open.status();
  std::vector<Handed> taken;
  for (Handed& one : *open) {
    if (std::find(former.begin(), former.end(), one.block.owner) == former.end()) continue;
    if (absl::Status set = SetOwner(db, owner, &one); !set.ok()) return set;
    taken.push_back(std::move(one));
  }
  return BlocksOf(std::move(taken));
}

// --- Reading ---

absl::StatusOr<std::vector<Block>> ListOpen(SqlDatabase* db, const CompetitionId& id) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  SqlStatement list =
      db->Prepare("SELECT " REFEREE_BLOCK_COLUMNS
                  " FROM block INDEXED BY open_block WHERE competition = ? AND state = 'RUNNING' "
                  "ORDER BY number");
  list.Bind(head->key);
  return ReadAll(db, &list, head->key, id);
}

absl::StatusOr<Block> Get(SqlDatabase* db, const CompetitionId& id, int64_t number) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  absl::StatusOr<Block> block = ReadOne(db, head->key, id, number);
  if (!block.ok()) return block;
  std::vector<Block> blocks;
  blocks.push_back(*std::move(block));
  if (absl::Status read = AddAttempts(db, head->key, &blocks); !read.ok()) return read;
  return std::move(blocks.front());
}

absl::StatusOr<std::vector<Block>> List(SqlDatabase* db, const CompetitionId& id, int64_t from,
                                        int limit, absl::optional<int> entrant) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  if (!entrant.has_value()) {
    SqlStatement list =
        db->Prepare("SELECT " REFEREE_BLOCK_COLUMNS
                    " FROM block WHERE competition = ? AND number >= ? ORDER BY number LIMIT ?");
    list.Bind(head->key, from, limit);
    return ReadAll(db, &list, head->key, id);
  }
  SqlStatement list = db->Prepare(
      "SELECT " REFEREE_BLOCK_COLUMNS
      " FROM block WHERE competition = ?1 AND number IN (SELECT number FROM block_bot WHERE "
      "competition = ?1 AND entrant = ?2 AND number >= ?3 ORDER BY number LIMIT ?4) "
      "ORDER BY number");
  list.Bind(head->key, *entrant, from, limit);
  return ReadAll(db, &list, head->key, id);
}

absl::StatusOr<std::vector<Block>> ListBelow(SqlDatabase* db, const CompetitionId& id,
                                             int64_t below, int limit,
                                             absl::optional<int> entrant) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  if (!entrant.has_value()) {
    SqlStatement list = db->Prepare(
        "SELECT " REFEREE_BLOCK_COLUMNS
        " FROM block WHERE competition = ? AND number < ? ORDER BY number DESC LIMIT ?");
    list.Bind(head->key, below, limit);
    return ReadAll(db, &list, head->key, id, Order::kDown);
  }
  SqlStatement list = db->Prepare(
      "SELECT " REFEREE_BLOCK_COLUMNS
      " FROM block WHERE competition = ?1 AND number IN (SELECT number FROM block_bot WHERE "
      "competition = ?1 AND entrant = ?2 AND number < ?3 ORDER BY number DESC LIMIT ?4) "
      "ORDER BY number DESC");
  list.Bind(head->key, *entrant, below, limit);
  return ReadAll(db, &list, head->key, id, Order::kDown);
}

absl::StatusOr<std::vector<PairTotal>> ReadPairTotals(SqlDatabase* db, const CompetitionId& id) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  SqlStatement list = db->Prepare("SELECT " REFEREE_PAIR_COLUMNS
                                  " FROM pair_total WHERE competition = ? ORDER BY low, high");
  list.Bind(head->key);
  return ReadPairs(&list);
}

absl::StatusOr<std::vector<PairTotal>> ListPairTotals(SqlDatabase* db, const CompetitionId& id,
                                                      std::pair<int, int> from, int limit,
                                                      absl::optional<int> entrant) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  if (!entrant.has_value()) {
    SqlStatement list =
        db->Prepare("SELECT " REFEREE_PAIR_COLUMNS
                    " FROM pair_total WHERE competition = ? AND (low, high) >= (?, ?) "
                    "ORDER BY low, high LIMIT ?");
    list.Bind(head->key, from.first, from.second, limit);
    return ReadPairs(&list);
  }
  // Pairs in which it is the higher are looked up one by one: a scan for them would read all.
  const int64_t first_low = int64_t{from.first} + (from.second > *entrant ? 1 : 0);
  const int first_high = *entrant > from.first    ? 0
                         : *entrant == from.first ? from.second
                                                  : std::numeric_limits<int>::max();
  SqlStatement list =
      db->Prepare("SELECT " REFEREE_PAIR_COLUMNS
                  " FROM pair_total WHERE competition = ?1 AND high = ?2 AND low IN (SELECT number "
                  "FROM entrant "
                  "WHERE competition = ?1 AND number >= ?3 AND number < ?2) UNION ALL "
                  "SELECT " REFEREE_PAIR_COLUMNS
                  " FROM pair_total WHERE competition = ?1 AND low = ?2 AND high >= ?4 "
                  "ORDER BY low, high LIMIT ?5");
  list.Bind(head->key, *entrant, first_low, first_high, limit);
  return ReadPairs(&list);
}

absl::Status ReadOutcomes(
    SqlDatabase* db, const CompetitionId& id, int64_t from, int64_t to,
    absl::FunctionRef<bool(int64_t number, const rating::BlockOutcome& outcome)> take) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  Block block;
  // By pages, since a result may be held in memory as a whole.
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
}

}  // namespace referee::store::block_table
