#include "referee/rating/evidence.h"

#include <numeric>

namespace referee::rating {
namespace {

constexpr size_t kMatchesOfPair = 2;

}  // namespace

void Evidence::Add(const BlockOutcome& outcome) {
  const std::vector<int>& bots = outcome.pairing.bots;
  if (bots.size() == 2 && outcome.ranks.size() == kMatchesOfPair) {
    const size_t place = bots[0] < bots[1] ? 0 : 1;
    const int half_points = HalfPoints(outcome, place);
    ++Pair(bots[place], bots[1 - place]).blocks[static_cast<size_t>(half_points)];
    Count(bots[0], 1);
    Count(bots[1], 1);
    return;
  }
  Add(RankedRow{bots, outcome.ranks});
}

void Evidence::Add(const PairRow& row) {
  PairRow& pair = Pair(row.first, row.second);
  for (size_t i = 0; i < row.blocks.size(); ++i) pair.blocks[i] += row.blocks[i];
  const int64_t blocks = std::accumulate(row.blocks.begin(), row.blocks.end(), int64_t{0});
  Count(row.first, blocks);
  Count(row.second, blocks);
}

void Evidence::Add(RankedRow row) {
  for (const int bot : row.bots) Count(bot, 1);
  ranked_.push_back(std::move(row));
}

PairRow& Evidence::Pair(int first, int second) {
  const auto [place, added] = place_.try_emplace({first, second}, pairs_.size());
  if (added) pairs_.push_back({first, second, {}});
  return pairs_[place->second];
}

void Evidence::Count(int bot, int64_t blocks) {
  if (static_cast<size_t>(bot) >= blocks_of_.size())
    blocks_of_.resize(static_cast<size_t>(bot) + 1);
  blocks_of_[static_cast<size_t>(bot)] += blocks;
}

}  // namespace referee::rating
