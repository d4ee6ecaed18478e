#include "tests/unit/schedule/evenness.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {

Evenness EvennessOf(const std::vector<rating::Pairing>& blocks, int bots) {
  const size_t size = static_cast<size_t>(bots);
  std::vector<std::vector<int64_t>> met(size, std::vector<int64_t>(size, 0));
  std::vector<std::vector<int64_t>> after = met;
  for (const rating::Pairing& block : blocks) {
    for (size_t i = 0; i < block.bots.size(); ++i) {
      ++after[block.bots[i]][block.bots[(i + 1) % block.bots.size()]];
      for (const int other : block.bots) ++met[block.bots[i]][other];
    }
  }
  Evenness evenness;
  evenness.least_met = evenness.least_after = std::numeric_limits<int64_t>::max();
  for (size_t a = 0; a < size; ++a) {
    for (size_t b = 0; b < size; ++b) {
      if (a == b) continue;
      evenness.least_met = std::min(evenness.least_met, met[a][b]);
      evenness.most_met = std::max(evenness.most_met, met[a][b]);
      evenness.least_after = std::min(evenness.least_after, after[a][b]);
      evenness.most_after = std::max(evenness.most_after, after[a][b]);
      evenness.most_turned = std::max(evenness.most_turned, std::abs(after[a][b] - after[b][a]));
    }
  }
  return evenness;
}

Played PlayThrough(const Spec& spec) {
  Tournament tournament(spec, 1);
  Played played;
  while (!tournament.schedule().done()) {
    tournament.Step();
    const auto [least, most] =
        std::minmax_element(tournament.begun().begin(), tournament.begun().end());
    played.lead = std::max(played.lead, *most - *least);
  }
  played.blocks = tournament.blocks();
  return played;
}

}  // namespace referee::schedule
