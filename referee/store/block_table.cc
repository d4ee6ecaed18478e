#include "referee/store/block_table.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/store/block_text.h"
#include "referee/store/entrant_table.h"
#include "referee/store/errors.h"
#include "referee/store/names.h"

namespace referee::store::block_table {
namespace {

using competition_table::Head;
using competition_table::ReadHead;

#define REFEREE_BLOCK_COLUMNS                                                                   \
  "block.number, bots, attempt, block.state, block_id, match_ids, results, owner, begin_time, " \
  "end_time, times, forfeited_by, block.reason"

constexpr int kBlockColumns = 13;  // of these

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

absl::Status Damaged(const Connection& db, const CompetitionId& id, int64_t number) {
  return StoreDamaged(db.path(), absl::StrCat("competition ", id.text(), ", block ", number));
}

absl::StatusOr<Block> ReadBlock(const Connection& db, const Statement& row, CompetitionId id) {
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
absl::Status AddAttempts(Connection* db, int64_t key, std::vector<Block>* blocks) {
  if (blocks->empty()) return absl::OkStatus();
  Statement list = db->Prepare(
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

absl::StatusOr<std::vector<Block>> ReadAll(Connection* db, Statement* statement, int64_t key,
                                           const CompetitionId& id) {
  std::vector<Block> blocks;
  while (statement->Step()) {
    absl::StatusOr<Block> block = ReadBlock(*db, *statement, id);
    if (!block.ok()) return block.status();
    blocks.push_back(*std::move(block));
  }
  if (!statement->status().ok()) return statement->status();
  if (absl::Status read = AddAttempts(db, key, &blocks); !read.ok()) return read;
  return blocks;
}

// Without its attempts.
absl::StatusOr<Block> ReadOne(Connection* db, int64_t key, const CompetitionId& id,
                              int64_t number) {
  Statement find = db->Prepare("SELECT " REFEREE_BLOCK_COLUMNS
                               " FROM block WHERE competition = ? AND number = ?");
  find.Bind(key, number);
  if (find.Step()) return ReadBlock(*db, find, id);
  return find.status().ok() ? NoBlock(id.text(), number) : find.status();
}

bool SameMatches(const std::vector<BlockMatch>& a, const std::vector<BlockMatch>& b) {
  return MatchIdsText(a) == MatchIdsText(b) && ResultsText(a) == ResultsText(b);
}

absl::Status AddPairs(Connection* db, int64_t key, const std::vector<PairTotal>& pairs) {
  Statement add = db->Prepare(
      "INSERT INTO pair_total(competition, low, high, blocks_0, blocks_1, blocks_2, blocks_3, "
      "blocks_4, draws) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
      "blocks_0 = blocks_0 + excluded.blocks_0, blocks_1 = blocks_1 + excluded.blocks_1, "
      "blocks_2 = blocks_2 + excluded.blocks_2, blocks_3 = blocks_3 + excluded.blocks_3, "
      "blocks_4 = blocks_4 + excluded.blocks_4, draws = draws + excluded.draws");
  for (const PairTotal& pair : pairs) {
    add.Reset();
    const std::array<int64_t, 5>& blocks = pair.blocks;
    const absl::Status added = add.Bind(key, pair.low, pair.high, blocks[0], blocks[1], blocks[2],
                                        blocks[3], blocks[4], pair.draws)
                                   .Run();
    if (!added.ok()) return added;
  }
  return absl::OkStatus();
}

#define REFEREE_PAIR_COLUMNS "low, high, blocks_0, blocks_1, blocks_2, blocks_3, blocks_4, draws"

absl::StatusOr<std::vector<PairTotal>> ReadPairs(Statement* list) {
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

// Whether a block of a number below `to` is RUNNING.
absl::StatusOr<bool> AnyOpenBelow(Connection* db, int64_t key, int64_t to) {
  Statement find = db->Prepare(
      "SELECT 1 FROM block INDEXED BY open_block WHERE competition = ? AND state = 'RUNNING' AND "
      "number < ? LIMIT 1");
  find.Bind(key, to);
  const bool found = find.Step();
  if (!find.status().ok()) return find.status();
  return found;
}

// Keeps the record of the attempt that the block is in.
absl::Status PutOnRecord(Connection* db, const Head& head, const Block& block,
                         const Attempt& attempt) {
  return db->Run(
      "INSERT INTO attempt(competition, number, attempt, block_id, match_ids, results, times, "
      "ending, reason, end_time, cancelled_by) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      head.key, block.number, block.attempt, attempt.block_id, MatchIdsText(attempt.matches),
      ResultsText(attempt.matches), TimesText(attempt.matches), NameOf(kEndings, attempt.ending),
      attempt.reason, attempt.end_time, attempt.cancelled_by);
}

}  // namespace

// --- Changes ---

absl::Status Changes::Make(const Change& change) {
  return std::visit([this](const auto& one) { return MakeOne(one); }, change);
}

absl::Status Changes::Finish() {
  for (const auto& [id, head] : heads_) {
    const absl::Status written = competition_table::WriteHead(db_, head);
    if (!written.ok()) return written;
  }
  return absl::OkStatus();
}

absl::StatusOr<Head*> Changes::HeadOf(const CompetitionId& id) {
  const auto known = heads_.find(id);
  if (known != heads_.end()) return &known->second;
  absl::StatusOr<Head> head = ReadHead(db_, id);
  if (!head.ok()) return head.status();
  return &heads_.emplace(id, *head).first->second;
}

template <typename BlockChange>
absl::StatusOr<Changes::Open> Changes::FindOpen(const BlockChange& change) {
  absl::StatusOr<Head*> head = HeadOf(change.competition);
  if (!head.ok()) return head.status();
  absl::StatusOr<Block> block = ReadOne(db_, (*head)->key, change.competition, change.number);
  if (!block.ok()) return block.status();
  const auto moved_on = [&](absl::string_view is) {
    return BlockMovedOn(change.competition.text(), change.number, is);
  };
  Open open{*head, *std::move(block)};
  if constexpr (std::is_same_v<BlockChange, FinishBlock>) {
    if (open.block.state == BlockState::kPlayed) {
      open.repeated = open.block.attempt == change.attempt &&
                      open.block.block_id == change.block_id &&
                      SameMatches(open.block.matches, change.matches);
      if (!open.repeated) return BlockPlayedOtherwise(change.competition.text(), change.number);
      return open;
    }
  }
  if constexpr (std::is_same_v<BlockChange, DropBlock>) {
    open.repeated = open.block.state == change.state;
    if (open.repeated) return open;
  }
  if (open.block.state != BlockState::kRunning) {
    return moved_on(absl::StrCat("is ", NameOf(kBlockStates, open.block.state)));
  }
  if (open.block.attempt != change.attempt) {
    return moved_on(absl::StrCat("was void ", open.block.attempt, " times"));
  }
  if (open.block.owner != change.owner) {
    return moved_on(absl::StrCat("belongs to ", Quoted(open.block.owner)));
  }
  return open;
}

absl::Status Changes::MakeOne(const BeginBlock& begin) {
  absl::StatusOr<Head*> found = HeadOf(begin.competition);
  if (!found.ok()) return found.status();
  Head& head = **found;
  const auto moved_on = [&](absl::string_view is) {
    return CompetitionMovedOn(begin.competition.text(), is);
  };
  if (head.state != CompetitionState::kRunning) {
    return moved_on(absl::StrCat("is ", StateName(head.state)));
  }
  if (head.version != begin.version) return moved_on(absl::StrCat("has version ", head.version));
  if (head.next_block != begin.number) {
    return moved_on(absl::StrCat("has begun ", head.next_block, " blocks"));
  }
  absl::Status made = db_->Run(
      "INSERT INTO block(competition, number, bots, attempt, state, block_id, match_ids, results, "
      "times, forfeited_by, reason, owner, begin_time) VALUES(?, ?, ?, 0, 'RUNNING', '', '', '', "
      "'', '', '', ?, ?)",
      head.key, begin.number, PairingText(begin.pairing), begin.owner, begin.time);
  for (const int bot : begin.pairing.bots) {
    if (!made.ok()) return made;
    made = db_->Run("INSERT INTO block_bot(competition, entrant, number) VALUES(?, ?, ?)", head.key,
                    bot, begin.number);
    if (!made.ok()) return made;
    made = db_->Run(
        "UPDATE entrant SET blocks_begun = blocks_begun + 1 WHERE competition = ? AND number = ?",
        head.key, bot);
  }
  ++head.next_block;
  return made;
}

absl::Status Changes::MakeOne(const NameMatches& name) {
  const absl::StatusOr<Open> open = FindOpen(name);
  if (!open.ok()) return open.status();
  return db_->Run(
      "UPDATE block SET block_id = ?, match_ids = ? WHERE competition = ? AND number = ?",
      name.block_id, MatchIdsText(name.matches), open->head->key, name.number);
}

absl::Status Changes::MakeOne(const RetryBlock& retry) {
  const absl::StatusOr<Open> open = FindOpen(retry);
  if (!open.ok()) return open.status();
  ++open->head->replayed;
  if (absl::Status kept = PutOnRecord(db_, *open->head, open->block, retry.failed); !kept.ok()) {
    return kept;
  }
  return db_->Run(
      "UPDATE block SET attempt = attempt + 1, block_id = '', match_ids = '' WHERE "
      "competition = ? AND number = ?",
      open->head->key, retry.number);
}

absl::Status Changes::MakeOne(const FinishBlock& finish) {
  const absl::StatusOr<Open> open = FindOpen(finish);
  if (!open.ok()) return open.status();
  if (open->repeated) return absl::OkStatus();
  if (finish.failed) {
    absl::Status kept = PutOnRecord(db_, *open->head, open->block, *finish.failed);
    if (!kept.ok()) return kept;
  }
  return db_->Run(
      "UPDATE block SET state = 'PLAYED', block_id = ?, match_ids = ?, results = ?, times = ?, "
      "forfeited_by = ?, reason = ?, owner = '', end_time = ? WHERE competition = ? AND number = ?",
      finish.block_id, MatchIdsText(finish.matches), ResultsText(finish.matches),
      TimesText(finish.matches), PairingText({finish.forfeited_by}), finish.reason, finish.time,
      open->head->key, finish.number);
}

absl::Status Changes::MakeOne(const DropBlock& drop) {
  const absl::StatusOr<Open> open = FindOpen(drop);
  if (!open.ok()) return open.status();
  if (open->repeated) return absl::OkStatus();
  if (drop.failed) {
    absl::Status kept = PutOnRecord(db_, *open->head, open->block, *drop.failed);
    if (!kept.ok()) return kept;
  }
  return db_->Run(
      "UPDATE block SET state = ?, reason = ?, owner = '', end_time = ? WHERE competition = ? AND "
      "number = ?",
      NameOf(kBlockStates, drop.state), drop.reason, drop.time, open->head->key, drop.number);
}

absl::Status Changes::MakeOne(const CountBlocks& count) {
  absl::StatusOr<Head*> found = HeadOf(count.competition);
  if (!found.ok()) return found.status();
  Head& head = **found;
  const std::string& id = count.competition.text();
  if (head.version != count.version) {
    return CompetitionMovedOn(id, absl::StrCat("has version ", head.version));
  }
  if (head.counted != count.from) {
    return CompetitionMovedOn(id, absl::StrCat("has counted ", head.counted, " blocks"));
  }
  const absl::StatusOr<bool> open = AnyOpenBelow(db_, head.key, count.to);
  if (!open.ok()) return open.status();
  if (*open || count.to < count.from || count.to > head.next_block) {
    return BlocksNotOver(id, count.from, count.to);
  }
  bool any_set_aside = false;
  for (const CountBlocks::Line& line : count.entrants) {
    const absl::StatusOr<bool> set_aside = entrant_table::Count(db_, count.competition, head, line);
    if (!set_aside.ok()) return set_aside.status();
    any_set_aside |= *set_aside;
  }
  head.counted = count.to;
  head.version += any_set_aside || count.decides() ? 1 : 0;
  if (count.surplus) {
    const absl::Status dropped = db_->Run(
        "UPDATE block SET state = 'DROPPED', reason = ?, "
        "results = CASE forfeited_by WHEN '' THEN results ELSE '' END, "
        "times = CASE forfeited_by WHEN '' THEN times ELSE '' END, forfeited_by = '' "
        "WHERE competition = ? AND number >= ? AND number < ? AND state = 'PLAYED'",
        count.surplus->reason, head.key, count.surplus->from, count.to);
    if (!dropped.ok()) return dropped;
  }
  return AddPairs(db_, head.key, count.pairs);
}

// --- Leases and reading ---

absl::Status RenewLease(Connection* db, absl::string_view owner, absl::Time until) {
  return db->Run(
      "INSERT INTO lease(owner, until) VALUES(?, ?) ON CONFLICT DO UPDATE SET until = "
      "excluded.until",
      owner, until);
}

absl::StatusOr<std::vector<Block>> ClaimExpired(Connection* db, absl::string_view owner,
                                                absl::Time now) {
  Statement list = db->Prepare(
      "SELECT " REFEREE_BLOCK_COLUMNS
      ", competition.id, block.competition FROM block INDEXED BY open_block JOIN competition ON "
      "competition.key = "
      "block.competition LEFT JOIN lease USING(owner) WHERE block.state = 'RUNNING' AND "
      "coalesce(until <= ?, 1) ORDER BY competition.id, block.number");
  list.Bind(now);
  std::vector<Block> blocks;
  std::vector<int64_t> keys;
  while (list.Step()) {
    absl::StatusOr<Block> block = ReadBlock(*db, list, CompetitionId(list.String(kBlockColumns)));
    if (!block.ok()) return block.status();
    block->owner = std::string(owner);
    blocks.push_back(*std::move(block));
    keys.push_back(list.Int(kBlockColumns + 1));
  }
  if (!list.status().ok()) return list.status();
  for (size_t i = 0; i < blocks.size(); ++i) {
    const absl::Status claimed =
        db->Run("UPDATE block SET owner = ? WHERE competition = ? AND number = ?", owner, keys[i],
                blocks[i].number);
    if (!claimed.ok()) return claimed;
  }
  return blocks;
}

absl::StatusOr<std::vector<Block>> ListOpen(Connection* db, const CompetitionId& id) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  Statement list =
      db->Prepare("SELECT " REFEREE_BLOCK_COLUMNS
                  " FROM block INDEXED BY open_block WHERE competition = ? AND state = 'RUNNING' "
                  "ORDER BY number");
  list.Bind(head->key);
  return ReadAll(db, &list, head->key, id);
}

absl::StatusOr<Block> Get(Connection* db, const CompetitionId& id, int64_t number) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  absl::StatusOr<Block> block = ReadOne(db, head->key, id, number);
  if (!block.ok()) return block;
  std::vector<Block> blocks;
  blocks.push_back(*std::move(block));
  if (absl::Status read = AddAttempts(db, head->key, &blocks); !read.ok()) return read;
  return std::move(blocks.front());
}

absl::StatusOr<std::vector<Block>> List(Connection* db, const CompetitionId& id, int64_t from,
                                        int limit, absl::optional<int> entrant) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  if (!entrant.has_value()) {
    Statement list =
        db->Prepare("SELECT " REFEREE_BLOCK_COLUMNS
                    " FROM block WHERE competition = ? AND number >= ? ORDER BY number LIMIT ?");
    list.Bind(head->key, from, limit);
    return ReadAll(db, &list, head->key, id);
  }
  Statement list = db->Prepare(
      "SELECT " REFEREE_BLOCK_COLUMNS
      " FROM block_bot CROSS JOIN block USING(competition, number) WHERE competition = ? AND "
      "entrant = ? AND number >= ? ORDER BY number LIMIT ?");
  list.Bind(head->key, *entrant, from, limit);
  return ReadAll(db, &list, head->key, id);
}

absl::StatusOr<std::vector<PairTotal>> ReadPairTotals(Connection* db, const CompetitionId& id) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  Statement list = db->Prepare("SELECT " REFEREE_PAIR_COLUMNS
                               " FROM pair_total WHERE competition = ? ORDER BY low, high");
  list.Bind(head->key);
  return ReadPairs(&list);
}

absl::StatusOr<std::vector<PairTotal>> ListPairTotals(Connection* db, const CompetitionId& id,
                                                      std::pair<int, int> from, int limit,
                                                      absl::optional<int> entrant) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  if (!entrant.has_value()) {
    Statement list = db->Prepare("SELECT " REFEREE_PAIR_COLUMNS
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
  Statement list = db->Prepare(
      "SELECT " REFEREE_PAIR_COLUMNS
      " FROM (SELECT number FROM entrant WHERE competition = ?1 AND number >= ?3 AND number < ?2) "
      "CROSS JOIN pair_total ON competition = ?1 AND low = number AND high = ?2 UNION ALL "
      "SELECT " REFEREE_PAIR_COLUMNS
      " FROM pair_total WHERE competition = ?1 AND low = ?2 AND high >= ?4 "
      "ORDER BY low, high LIMIT ?5");
  list.Bind(head->key, *entrant, first_low, first_high, limit);
  return ReadPairs(&list);
}

absl::Status ReadOutcomes(
    Connection* db, const CompetitionId& id, int64_t from, int64_t to,
    absl::FunctionRef<bool(int64_t number, const rating::BlockOutcome& outcome)> take) {
  const absl::StatusOr<Head> head = ReadHead(db, id);
  if (!head.ok()) return head.status();
  Statement list = db->Prepare(
      "SELECT number, bots, results FROM block WHERE competition = ? AND number >= ? AND "
      "number < ? AND state = 'PLAYED' ORDER BY number");
  list.Bind(head->key, from, to);
  Block block;
  while (list.Step()) {
    const int64_t number = list.Int(0);
    if (!ReadPairing(list.Text(1), &block.pairing)) return Damaged(*db, id, number);
    block.matches.resize(block.pairing.bots.size());
    if (!ReadResults(list.Text(2), &block.matches) || !HasResults(block)) {
      return Damaged(*db, id, number);
    }
    if (!take(number, OutcomeOf(block))) return absl::OkStatus();
  }
  return list.status();
}

}  // namespace referee::store::block_table
