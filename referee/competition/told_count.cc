#include "referee/competition/told_count.h"

#include <utility>

#include "referee/competition/count.h"
#include "referee/rating/rating.h"

namespace referee::competition {

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

// Entrants are numbered in the order in which they came, and so never before whom they succeed.
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
    // It came when more was counted than is told, or has met nobody.
    tally = i < entrants_.size() ? entrants_[i].tally : store::Tally();
    const auto before = static_cast<size_t>(entrants[i].predecessor.value_or(-1));
    if (before < i) tally.rating = rating::Succeed(entrants[before].tally.rating);
  }
  return entrants;
}

}  // namespace referee::competition
