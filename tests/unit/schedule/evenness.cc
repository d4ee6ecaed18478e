#include "tests/unit/schedule/evenness.h"

#include <algorithm>

#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {

Evenness EvennessOf(const std::vector<rating::Pairing>& blocks, int bots) {
  return EvennessOf(Spec(), blocks, std::vector<bool>(bots, true)).value();
}

int64_t MostTurned(const std::vector<rating::Pairing>& blocks, int bots) {
  const size_t size = static_cast<size_t>(bots);
  std::vector<std::vector<int64_t>> lead(size, std::vector<int64_t>(size, 0));
  for (const rating::Pairing& block : blocks) {
    for (size_t i = 0; i < block.bots.size(); ++i) {
      const int next = block.bots[(i + 1) % block.bots.size()];
      ++lead[block.bots[i]][next];
      --lead[next][block.bots[i]];
    }
  }
  int64_t most = 0;
  for (const std::vector<int64_t>& row : lead) {
    most = std::max(most, *std::max_element(row.begin(), row.end()));
  }
  return most;
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
