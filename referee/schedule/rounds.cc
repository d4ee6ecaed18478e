#include "referee/schedule/rounds.h"

#include <algorithm>
#include <cstddef>

namespace referee::schedule {

void NumberRounds(int bots, int soloist, std::vector<RoundPairing>* pairings) {
  std::vector<int> last(static_cast<size_t>(bots), 0);  // the round in which a bot was last
  std::vector<int> places;                              // taken, by round
  for (RoundPairing& pairing : *pairings) {
    pairing.round = 1;
    for (const int bot : pairing.bots) {
      if (bot != soloist) pairing.round = std::max(pairing.round, last[bot] + 1);
    }
    for (const int bot : pairing.bots) last[bot] = pairing.round;
    const auto round = static_cast<size_t>(pairing.round);
    if (places.size() <= round) places.resize(round + 1, 0);
    pairing.place = places[round]++;
  }
  std::stable_sort(pairings->begin(), pairings->end(),
                   [](const RoundPairing& a, const RoundPairing& b) { return a.round < b.round; });
}

int WinnerOf(const RoundPairing& pairing) {
  const auto most = std::max_element(pairing.points.begin(), pairing.points.end());
  if (most == pairing.points.end()) return kNoBot;
  if (std::count(pairing.points.begin(), pairing.points.end(), *most) > 1) return kNoBot;
  return pairing.bots[static_cast<size_t>(most - pairing.points.begin())];
}

}  // namespace referee::schedule
