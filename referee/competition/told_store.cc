#include "referee/competition/told_store.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "referee/competition/count.h"
#include "referee/rating/rating.h"
#include "referee/store/errors.h"

namespace referee::competition {
namespace {

using store::BlockState;

// The number of blocks read at once to find which are published.
constexpr int kBlocksPerLook = 200;

// Removes the results of matches, which are withheld.
void Forget(std::vector<store::BlockMatch>* matches) {
  for (store::BlockMatch& match : *matches) {
    store::BlockMatch bare;
    bare.id = match.id;
    match = std::move(bare);
  }
}

// Whether the competition is over, and everything of it is published for good.
bool IsToldOver(const store::Competition& row, absl::Time until) {
  return row.state == store::CompetitionState::kFinished && row.finish_time.has_value() &&
         *row.finish_time <= until;
}

// If the block that removed an entrant is still withheld, observers see the entrant as active.
void TellPresence(int64_t begun, store::Entrant* entrant) {
  if (entrant->successor.has_value() || entrant->out_from < begun) return;
  entrant->presence = store::Presence::kIn;
  entrant->reason.clear();
}

}  // namespace

store::Block ToldBlock(store::Block block, absl::Time until, bool counted) {
  // Blocks after the decision of a test were played before the count dropped them.
  const bool surplus =
      !counted && block.state == BlockState::kDropped && store::HasAllResults(block);
  if (block.end_time.has_value() && *block.end_time <= until && !surplus) return block;
  const auto untold =
      std::find_if(block.attempts.begin(), block.attempts.end(),
                   [until](const store::Attempt& attempt) { return attempt.end_time > until; });
  if (untold != block.attempts.end()) {
    block.attempt = untold->number;
    block.block_id = std::move(untold->block_id);
    block.matches = std::move(untold->matches);
    block.attempts.erase(untold, block.attempts.end());
  } else if (!block.forfeited_by.empty()) {
    block.matches.clear();  // those of an earlier attempt
  }
  Forget(&block.matches);
  block.state = BlockState::kRunning;
  block.forfeited_by.clear();
  block.reason.clear();
  block.end_time.reset();
  return block;
}

// --- ToldCount ---

ToldCount::ToldCount(const store::Competition& competition) {
  row_.id = competition.id;
  row_.spec.name = competition.spec.name;
  row_.spec.format = competition.spec.format;
  row_.spec.seats = competition.spec.seats;
  if (competition.spec.sprt.has_value()) sprt_.emplace(*competition.spec.sprt);
}

void ToldCount::KnowEntrants(const std::vector<store::Entrant>& entrants) {
  for (size_t i = entrants_.size(); i < entrants.size(); ++i) {
    entrants_.push_back(entrants[i]);
    entrants_.back().tally = store::Tally();
  }
}

// Entrants are numbered in order of arrival, so a predecessor comes before its successor.
void ToldCount::SucceedUntil(int64_t counted) {
  for (; next_successor_ < entrants_.size(); ++next_successor_) {
    store::Entrant& entrant = entrants_[next_successor_];
    if (entrant.rated_from > counted) return;
    const auto before = static_cast<size_t>(entrant.predecessor.value_or(-1));
    if (before >= next_successor_) continue;
    entrant.tally.rating = rating::Succeed(entrants_[before].tally.rating);
  }
}

void ToldCount::Add(const store::Block& block) {
  SucceedUntil(block.number);
  CompetitionCount count(row_, entrants_, std::move(sprt_));
  count.Add(block);
  const store::CountBlocks change = count.change();
  for (const store::CountBlocks::Line& line : change.entrants) {
    entrants_[static_cast<size_t>(line.entrant)].tally = line.tally;
  }
  for (const store::PairTotal& pair : change.pairs) AddPair(pair);
  sprt_ = count.sprt();
  row_.counted = block.number + 1;
}

void ToldCount::AddPair(const store::PairTotal& pair) {
  store::PairTotal& total = pairs_[{pair.low, pair.high}];
  total.low = pair.low;
  total.high = pair.high;
  for (size_t i = 0; i < pair.blocks.size(); ++i) total.blocks[i] += pair.blocks[i];
  total.draws += pair.draws;
}

std::vector<store::Entrant> ToldCount::Entrants(std::vector<store::Entrant> entrants) const {
  for (size_t i = 0; i < entrants.size(); ++i) {
    store::Tally& tally = entrants[i].tally;
    if (i < next_successor_) {
      tally = entrants_[i].tally;
      continue;
    }
    // The entrant came after the published blocks, or has met no other bot in them.
    tally = i < entrants_.size() ? entrants_[i].tally : store::Tally();
    const auto before = static_cast<size_t>(entrants[i].predecessor.value_or(-1));
    if (before < i) tally.rating = rating::Succeed(entrants[before].tally.rating);
  }
  return entrants;
}

// --- The extent of publication ---

std::shared_ptr<ToldStore::Entry> ToldStore::EntryOf(const store::CompetitionId& id) {
  MutexLock lock(&mutex_);
  std::shared_ptr<Entry>& entry = entries_[id];
  if (entry == nullptr) entry = std::make_shared<Entry>();
  return entry;
}

absl::StatusOr<ToldStore::Told> ToldStore::ToldOf(const store::Competition& row) {
  const absl::Duration delay = row.spec.watch_delay;
  const absl::Time until = clock_.WallNow() - delay;
  if (delay == absl::ZeroDuration() || IsToldOver(row, until)) {
    MutexLock lock(&mutex_);
    entries_.erase(row.id);
    return Told();
  }
  const std::shared_ptr<Entry> entry = EntryOf(row.id);
  MutexLock lock(&entry->mutex);
  if (absl::Status advanced = Advance(row, until, entry.get()); !advanced.ok()) return advanced;
  Told told;
  told.delayed = true;
  told.until = entry->until;
  told.counted = entry->count->counted();
  told.begun = entry->begun;
  told.whole = told.counted >= row.counted && told.begun >= row.next_block &&
               row.state != store::CompetitionState::kFinished;
  return told;
}

absl::StatusOr<ToldStore::Told> ToldStore::ToldOf(const store::CompetitionId& id) {
  const absl::StatusOr<store::Competition> row = store_.GetCompetition(id);
  if (!row.ok()) return row.status();
  return ToldOf(*row);
}

absl::Status ToldStore::Advance(const store::Competition& row, absl::Time until, Entry* entry) {
  if (entry->count == nullptr || row.spec.watch_delay > entry->delay) {
    entry->count = std::make_unique<ToldCount>(row);
    entry->begun = 0;
    entry->until = absl::InfinitePast();
    entry->next_end = absl::InfinitePast();
    entry->next_begin = absl::InfinitePast();
  }
  entry->delay = row.spec.watch_delay;
  // Nothing is withdrawn when the clock is set back.
  entry->until = std::max(entry->until, until);
  const absl::Status counted = AdvanceCount(row, entry);
  return counted.ok() ? AdvanceBegun(row, entry) : counted;
}

absl::Status ToldStore::AdvanceCount(const store::Competition& row, Entry* entry) {
  if (entry->until < entry->next_end) return absl::OkStatus();
  ToldCount& count = *entry->count;
  bool knows = false;
  while (count.counted() < row.counted) {
    const auto page = store_.ListBlocks(row.id, count.counted(), kBlocksPerLook, absl::nullopt);
    if (!page.ok()) return page.status();
    if (page->empty()) return absl::OkStatus();
    for (const store::Block& block : *page) {
      if (block.number >= row.counted || !block.end_time.has_value()) return absl::OkStatus();
      if (*block.end_time > entry->until) {
        entry->next_end = *block.end_time;
        return absl::OkStatus();
      }
      if (!knows) {
        // Read entrants no earlier than this: those in the blocks counted so far have come by now.
        const absl::StatusOr<std::vector<store::Entrant>> entrants = store_.ReadEntrants(row.id);
        if (!entrants.ok()) return entrants.status();
        count.KnowEntrants(*entrants);
        knows = true;
      }
      count.Add(block);
    }
  }
  return absl::OkStatus();
}

absl::Status ToldStore::AdvanceBegun(const store::Competition& row, Entry* entry) {
  entry->begun = std::max(entry->begun, entry->count->counted());
  if (entry->until < entry->next_begin) return absl::OkStatus();
  while (entry->begun < row.next_block) {
    const auto page = store_.ListBlocks(row.id, entry->begun, kBlocksPerLook, absl::nullopt);
    if (!page.ok()) return page.status();
    if (page->empty()) return absl::OkStatus();
    for (const store::Block& block : *page) {
      if (block.number >= row.next_block) return absl::OkStatus();
      if (block.begin_time > entry->until) {
        entry->next_begin = block.begin_time;
        return absl::OkStatus();
      }
      entry->begun = block.number + 1;
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<ToldStore::Lag> ToldStore::LagOf(const store::CompetitionId& id) {
  const absl::StatusOr<store::Competition> row = store_.GetCompetition(id);
  if (!row.ok()) return row.status();
  const absl::StatusOr<Told> told = ToldOf(*row);
  if (!told.ok()) return told.status();
  Lag lag;
  if (!told->delayed) return lag;
  lag.whole = told->whole;
  lag.blocks_untold = row->next_block - told->begun;
  const absl::StatusOr<int64_t> over = CountOver(id, *told);
  if (!over.ok()) return over.status();
  lag.blocks_running = static_cast<int>(told->begun - told->counted - *over);
  return lag;
}

absl::StatusOr<int64_t> ToldStore::CountOver(const store::CompetitionId& id, const Told& told) {
  int64_t over = 0;
  for (int64_t from = told.counted; from < told.begun;) {
    const auto page = store_.ListBlocks(id, from, kBlocksPerLook, absl::nullopt);
    if (!page.ok()) return page.status();
    if (page->empty()) break;
    for (const store::Block& block : *page) {
      if (block.number >= told.begun) return over;
      const store::Block as_told = ToldBlock(block, told.until, false);
      over += as_told.state == BlockState::kRunning ? 0 : 1;
      from = block.number + 1;
    }
  }
  return over;
}

// --- Reading ---

void ToldStore::TellRow(const Told& told, store::Competition* row) {
  row->counted = told.counted;
  row->next_block = told.begun;
  if (row->state != store::CompetitionState::kFinished) return;
  row->state = store::CompetitionState::kRunning;
  row->finish_time.reset();
}

absl::StatusOr<store::Competition> ToldStore::Tell(absl::StatusOr<store::Competition> row) {
  if (!row.ok()) return row;
  const absl::StatusOr<Told> told = ToldOf(*row);
  if (!told.ok()) return told.status();
  if (!told->delayed) return row;
  const absl::StatusOr<int64_t> over = CountOver(row->id, *told);
  if (!over.ok()) return over.status();
  TellRow(*told, &*row);
  row->version += *over;
  return row;
}

absl::StatusOr<store::Competition> ToldStore::GetCompetition(const store::CompetitionId& id) {
  return Tell(store_.GetCompetition(id));
}

absl::StatusOr<store::Competition> ToldStore::FindCompetition(absl::string_view name) {
  return Tell(store_.FindCompetition(name));
}

absl::StatusOr<std::vector<store::Competition>> ToldStore::TellAll(
    absl::StatusOr<std::vector<store::Competition>> rows) {
  if (!rows.ok()) return rows;
  for (store::Competition& row : *rows) {
    const absl::StatusOr<Told> told = ToldOf(row);
    if (!told.ok()) return told.status();
    if (told->delayed) TellRow(*told, &row);
  }
  return rows;
}

absl::StatusOr<std::vector<store::Competition>> ToldStore::ListCompetitions(
    const store::CompetitionId& before, int limit) {
  return TellAll(store_.ListCompetitions(before, limit));
}

absl::StatusOr<std::vector<store::Competition>> ToldStore::ListCompetitionsOf(
    absl::string_view bot, const store::CompetitionId& before, int limit) {
  return TellAll(store_.ListCompetitionsOf(bot, before, limit));
}

absl::StatusOr<std::vector<std::string>> ToldStore::ReadPositions(const store::CompetitionId& id) {
  return store_.ReadPositions(id);
}

absl::StatusOr<std::vector<store::Entrant>> ToldStore::ReadEntrants(
    const store::CompetitionId& id) {
  const absl::StatusOr<Told> told = ToldOf(id);
  if (!told.ok()) return told.status();
  absl::StatusOr<std::vector<store::Entrant>> entrants = store_.ReadEntrants(id);
  if (!entrants.ok() || !told->delayed) return entrants;
  const std::shared_ptr<Entry> entry = EntryOf(id);
  MutexLock lock(&entry->mutex);
  if (entry->count == nullptr) return entrants;  // everything was published meanwhile
  entrants = entry->count->Entrants(*std::move(entrants));
  if (told->whole) return entrants;
  for (store::Entrant& entrant : *entrants) TellPresence(told->begun, &entrant);
  return entrants;
}

absl::StatusOr<store::Block> ToldStore::GetBlock(const store::CompetitionId& id, int64_t number) {
  const absl::StatusOr<Told> told = ToldOf(id);
  if (!told.ok()) return told.status();
  absl::StatusOr<store::Block> block = store_.GetBlock(id, number);
  if (!block.ok() || !told->delayed) return block;
  if (number >= told->begun) return store::NoBlock(id.text(), number);
  return ToldBlock(*std::move(block), told->until, number < told->counted);
}

absl::StatusOr<std::vector<store::Block>> ToldStore::TellBlocks(
    const Told& told, absl::StatusOr<std::vector<store::Block>> blocks) {
  if (!blocks.ok() || !told.delayed) return blocks;
  while (!blocks->empty() && blocks->back().number >= told.begun) blocks->pop_back();
  for (store::Block& block : *blocks) {
    block = ToldBlock(std::move(block), told.until, block.number < told.counted);
  }
  return blocks;
}

absl::StatusOr<std::vector<store::Block>> ToldStore::ListBlocks(const store::CompetitionId& id,
                                                                int64_t from, int limit,
                                                                absl::optional<int> entrant) {
  const absl::StatusOr<Told> told = ToldOf(id);
  if (!told.ok()) return told.status();
  return TellBlocks(*told, store_.ListBlocks(id, from, limit, entrant));
}

absl::StatusOr<std::vector<store::Block>> ToldStore::ListBlocksBelow(const store::CompetitionId& id,
                                                                     int64_t below, int limit,
                                                                     absl::optional<int> entrant) {
  const absl::StatusOr<Told> told = ToldOf(id);
  if (!told.ok()) return told.status();
  below = std::min(below, told->begun);
  return TellBlocks(*told, store_.ListBlocksBelow(id, below, limit, entrant));
}

absl::StatusOr<std::vector<store::PairTotal>> ToldStore::ReadPairTotals(
    const store::CompetitionId& id) {
  const absl::StatusOr<Told> told = ToldOf(id);
  if (!told.ok()) return told.status();
  if (!told->delayed) return store_.ReadPairTotals(id);
  return ListPairTotals(id, {}, std::numeric_limits<int>::max(), absl::nullopt);
}

absl::StatusOr<std::vector<store::PairTotal>> ToldStore::ListPairTotals(
    const store::CompetitionId& id, std::pair<int, int> from, int limit,
    absl::optional<int> entrant) {
  const absl::StatusOr<Told> told = ToldOf(id);
  if (!told.ok()) return told.status();
  if (!told->delayed) return store_.ListPairTotals(id, from, limit, entrant);
  std::vector<store::PairTotal> totals;
  const std::shared_ptr<Entry> entry = EntryOf(id);
  MutexLock lock(&entry->mutex);
  // Everything was published meanwhile.
  if (entry->count == nullptr) return store_.ListPairTotals(id, from, limit, entrant);
  const auto& pairs = entry->count->pairs();
  for (auto pair = pairs.lower_bound(from); pair != pairs.end(); ++pair) {
    if (static_cast<int>(totals.size()) >= limit) break;
    const auto [low, high] = pair->first;
    if (!entrant.has_value() || *entrant == low || *entrant == high) totals.push_back(pair->second);
  }
  return totals;
}

absl::Status ToldStore::ReadOutcomes(
    const store::CompetitionId& id, int64_t from, int64_t to,
    absl::FunctionRef<bool(int64_t number, const rating::BlockOutcome& outcome)> take) {
  const absl::StatusOr<Told> told = ToldOf(id);
  if (!told.ok()) return told.status();
  to = std::min(to, told->counted);
  if (from >= to) return absl::OkStatus();
  return store_.ReadOutcomes(id, from, to, take);
}

}  // namespace referee::competition
