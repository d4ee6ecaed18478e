#include "referee/competition/schedule_reading.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "referee/base/limits.h"
#include "referee/schedule/ladder.h"

namespace referee::competition {
namespace {

// Passes the blocks from number `from` up to competition.next_block to `take`, in order.
absl::Status ForEachBlock(store::CompetitionReader* store, const store::Competition& competition,
                          int64_t from, absl::FunctionRef<void(store::Block block)> take) {
  while (from < competition.next_block) {
    absl::StatusOr<std::vector<store::Block>> page =
        store->ListBlocks(competition.id, from, limits::kMaxPageSize, absl::nullopt);
    if (!page.ok()) return page.status();
    if (page->empty()) break;
    for (store::Block& block : *page) {
      from = block.number + 1;
      if (block.number >= competition.next_block) break;  // begun since, by another referee
      take(std::move(block));
    }
  }
  return absl::OkStatus();
}

// Reads how often counted pairs have met. Returns the first block to read in addition.
absl::StatusOr<int64_t> ReadCounted(store::CompetitionReader* store,
                                    const store::Competition& competition,
                                    const std::vector<store::Entrant>& entrants,
                                    std::vector<schedule::PairCount>* met) {
  if (competition.spec.seats != 2) {
    // No pair totals are stored: the last blocks show who has met, and who sat after whom.
    const int64_t remembered = competition.next_block - schedule::kLadderMemory;
    return std::min(competition.counted, std::max<int64_t>(0, remembered));
  }
  absl::StatusOr<std::vector<store::PairTotal>> pairs = store->ReadPairTotals(competition.id);
  if (!pairs.ok()) return pairs.status();
  for (const store::PairTotal& pair : *pairs) {
    // Entrants of a finished season do not meet again.
    const auto low = static_cast<size_t>(pair.low);
    if (low < entrants.size() && entrants[low].season != competition.season) continue;
    met->emplace_back();
    met->back().first = pair.low;
    met->back().second = pair.high;
    met->back().blocks = std::accumulate(pair.blocks.begin(), pair.blocks.end(), int64_t{0});
  }
  return competition.counted;
}

absl::StatusOr<std::unique_ptr<schedule::Schedule>> ReadLadder(
    store::CompetitionReader* store, const store::Competition& competition,
    const std::vector<store::Entrant>& entrants, absl::FunctionRef<void(store::Block block)> take) {
  std::vector<schedule::PairCount> met;
  const absl::StatusOr<int64_t> from = ReadCounted(store, competition, entrants, &met);
  if (!from.ok()) return from.status();
  std::vector<schedule::Entrant> known;
  known.reserve(entrants.size());
  for (const store::Entrant& entrant : entrants) {
    known.push_back({entrant.tally.rating, entrant.blocks_begun,
                     entrant.presence != store::Presence::kIn, entrant.tally.blocks});
  }
  std::vector<schedule::RecentBlock> recent;
  const absl::Status read = ForEachBlock(store, competition, *from, [&](store::Block block) {
    const bool running = block.state == store::BlockState::kRunning;
    const bool counted = block.number < competition.counted;
    if (running || block.state == store::BlockState::kPlayed) {
      recent.push_back({block.number, block.pairing, running});
      for (const int bot : block.pairing.bots) known[bot].blocks += counted ? 0 : 1;
    }
    if (!counted) take(std::move(block));
  });
  if (!read.ok()) return read;
  return schedule::Schedule::MakeLadder(competition.spec, known, met, competition.next_block,
                                        recent);
}

// Of counted blocks, only their number matters to a test.
absl::StatusOr<std::unique_ptr<schedule::Schedule>> ReadTest(
    store::CompetitionReader* store, const store::Competition& competition,
    const std::vector<store::Entrant>& entrants, absl::FunctionRef<void(store::Block block)> take) {
  auto schedule = schedule::Schedule::MakeTest(competition.spec, competition.counted);
  const absl::Status read =
      ForEachBlock(store, competition, competition.counted, [&](store::Block block) {
        schedule->Begun(block.pairing);
        if (block.state != store::BlockState::kRunning) schedule->Dropped(block.number);
        take(std::move(block));
      });
  if (!read.ok()) return read;
  for (const store::Entrant& entrant : entrants) {
    if (entrant.presence != store::Presence::kIn) schedule->Withdraw(entrant.number);
  }
  return schedule;
}

// Repeats the calls to a schedule of a format that ends: each bot was withdrawn before a certain
// block began, and its remaining blocks were dropped.
class Repetition {
 public:
  Repetition(const std::vector<store::Entrant>& entrants, schedule::Schedule* schedule)
      : schedule_(*schedule) {
    for (const store::Entrant& entrant : entrants) {
      if (entrant.presence != store::Presence::kIn) {
        withdrawals_.emplace(entrant.out_from, entrant.number);
      }
    }
  }

  void Repeat(const store::Block& block) {
    WithdrawUntil(block.number);
    schedule_.Begun(block.pairing);
    if (block.state == store::BlockState::kPlayed) {
      schedule_.Played(block.number, store::OutcomeOf(block));
    } else if (block.state == store::BlockState::kVoid) {
      schedule_.Voided(block.number);
    } else if (block.state == store::BlockState::kDropped) {
      dropped_.emplace(block.number, block.pairing);
    }
  }

  void End() {
    WithdrawUntil(std::numeric_limits<int64_t>::max());
    for (const auto& [number, pairing] : dropped_) schedule_.Dropped(number);
  }

 private:
  // Repeats the withdrawals before the block of this number began.
  void WithdrawUntil(int64_t number) {
    while (!withdrawals_.empty() && withdrawals_.begin()->first <= number) {
      const int bot = withdrawals_.begin()->second;
      withdrawals_.erase(withdrawals_.begin());
      schedule_.Withdraw(bot);
      for (auto it = dropped_.begin(); it != dropped_.end();) {
        const std::vector<int>& bots = it->second.bots;
        const bool in = std::find(bots.begin(), bots.end(), bot) != bots.end();
        if (in) schedule_.Dropped(it->first);
        it = in ? dropped_.erase(it) : std::next(it);
      }
    }
  }

  schedule::Schedule& schedule_;
  std::multimap<int64_t, int> withdrawals_;     // bots, by the number of the next block then
  std::map<int64_t, rating::Pairing> dropped_;  // not reported yet
};

}  // namespace

absl::StatusOr<std::unique_ptr<schedule::Schedule>> ReadSchedule(
    store::CompetitionReader* store, const store::Competition& competition,
    const std::vector<store::Entrant>& entrants, absl::FunctionRef<void(store::Block block)> take) {
  if (competition.spec.format == schedule::Format::kLadder) {
    return ReadLadder(store, competition, entrants, take);
  }
  if (competition.spec.format == schedule::Format::kTest) {
    return ReadTest(store, competition, entrants, take);
  }
  schedule::Lot lot;
  if (competition.lot_seed.has_value()) {
    store::Competition drawn;  // only the fields that coin flips depend on
    drawn.lot_seed = competition.lot_seed;
    drawn.dice_lives = competition.dice_lives;
    drawn.life_blocks = competition.life_blocks;
    lot = [drawn](int round, int tie, int64_t last_block) {
      return store::LotOf(drawn, round, tie, last_block);
    };
  }
  auto schedule = schedule::Schedule::Make(competition.spec, std::move(lot));
  Repetition repetition(entrants, schedule.get());
  const absl::Status read = ForEachBlock(store, competition, 0, [&](store::Block block) {
    repetition.Repeat(block);
    if (block.number >= competition.counted) take(std::move(block));
  });
  if (!read.ok()) return read;
  repetition.End();
  return schedule;
}

absl::StatusOr<std::vector<rating::Pairing>> ReadPlan(
    store::CompetitionReader* store, const store::Competition& competition,
    const std::vector<store::Entrant>& entrants, bool planned,
    absl::FunctionRef<void(const store::Block& block)> take) {
  const auto schedule = schedule::Schedule::Make(competition.spec);
  Repetition repetition(entrants, schedule.get());
  std::vector<int64_t> running;
  const absl::Status read = ForEachBlock(store, competition, 0, [&](const store::Block& block) {
    repetition.Repeat(block);
    if (block.state == store::BlockState::kRunning) running.push_back(block.number);
    take(block);
  });
  if (!read.ok()) return read;
  std::vector<rating::Pairing> plan;
  if (!planned) return plan;
  repetition.End();
  // The schedule names all remaining blocks once nothing runs and all bots are free.
  for (const int64_t number : running) schedule->Dropped(number);
  const std::vector<bool> all(entrants.size(), true);
  int64_t number = competition.next_block;
  while (absl::optional<rating::Pairing> next = schedule->Next(all, Instant())) {
    plan.push_back(*std::move(next));
    schedule->Dropped(number++);
  }
  return plan;
}

}  // namespace referee::competition
