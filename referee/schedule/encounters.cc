#include "referee/schedule/encounters.h"

#include <algorithm>

namespace referee::schedule {

void Encounters::Add(const rating::BlockOutcome& outcome) {
  const std::vector<int>& bots = outcome.pairing.bots;
  for (const std::vector<int>& ranks : outcome.ranks) {
    const bool shared = std::count(ranks.begin(), ranks.end(), 1) > 1;
    for (size_t i = 0; i < bots.size(); ++i) {
      if (ranks[i] == 1 && !shared) ++wins_[bots[i]];
    }
  }
  for (size_t i = 0; i < bots.size(); ++i) {
    for (size_t k = 0; k < bots.size(); ++k) {
      if (i == k) continue;
      Encounter& encounter = of_[bots[i]][bots[k]];
      ++encounter.blocks;
      encounter.possible += 2 * static_cast<int64_t>(outcome.ranks.size());
      for (const std::vector<int>& ranks : outcome.ranks) {
        encounter.points += ranks[i] < ranks[k] ? 2 : ranks[i] == ranks[k] ? 1 : 0;
        if (bots.size() == 2 && ranks[i] < ranks[k]) ++encounter.wins;
      }
    }
  }
}

void Encounters::AddUnplayed(int a, int b, int64_t points_a, int64_t points_b, int64_t possible) {
  Encounter& of_a = of_[a][b];
  ++of_a.blocks;
  of_a.points += points_a;
  of_a.possible += possible;
  Encounter& of_b = of_[b][a];
  ++of_b.blocks;
  of_b.points += points_b;
  of_b.possible += possible;
}

void Encounters::Annul(int bot) {
  for (const auto& [opponent, encounter] : of_[bot]) {
    wins_[bot] -= encounter.wins;
    wins_[opponent] -= of_[opponent][bot].wins;
    of_[opponent].erase(bot);
  }
  of_[bot].clear();
}

Encounter Encounters::Between(int bot, int opponent) const {
  const auto found = of_[bot].find(opponent);
  return found == of_[bot].end() ? Encounter() : found->second;
}

}  // namespace referee::schedule
