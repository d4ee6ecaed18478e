#include "referee/schedule/rounds.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "absl/container/flat_hash_map.h"

namespace referee::schedule {
namespace {

struct SatWith {
  int64_t met = 0;
  int64_t after = 0;  // the second bot sat right after the first
};

}  // namespace

void NumberRounds(int bots, int soloist, std::vector<RoundPairing>* pairings) {
  std::vector<int> last(static_cast<size_t>(bots), 0);  // by bot: the round of its last pairing
  std::vector<int> places;                              // by round: places taken
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

bool IsToBeEven(const Spec& spec) {
  const bool even = spec.format == Format::kRoundRobin || spec.format == Format::kGauntlet;
  return even && PlannedBlocks(spec) <= kMostBlocksForEvenness;
}

absl::optional<Evenness> EvennessOf(const Spec& spec, absl::Span<const rating::Pairing> blocks,
                                    const std::vector<bool>& in) {
  const bool gauntlet = spec.format == Format::kGauntlet;
  const auto looked_at = [&](int a, int b) {
    return in[a] && in[b] && (!gauntlet || a == 0 || b == 0);
  };
  absl::flat_hash_map<std::pair<int, int>, SatWith> pairs;
  for (const rating::Pairing& block : blocks) {
    const std::vector<int>& bots = block.bots;
    for (size_t i = 0; i < bots.size(); ++i) {
      for (size_t ahead = 1; ahead < bots.size(); ++ahead) {
        const int other = bots[(i + ahead) % bots.size()];
        if (!looked_at(bots[i], other)) continue;
        SatWith& pair = pairs[{bots[i], other}];
        ++pair.met;
        pair.after += ahead == 1 ? 1 : 0;
      }
    }
  }
  const size_t left = static_cast<size_t>(std::count(in.begin(), in.end(), true));
  if (left < 2 || (gauntlet && !in[0])) return absl::nullopt;
  const size_t all = gauntlet ? 2 * (left - 1) : left * (left - 1);
  Evenness even;
  if (pairs.size() == all) {
    even.least_met = even.least_after = std::numeric_limits<int64_t>::max();
  }
  for (const auto& [bots, pair] : pairs) {
    even.least_met = std::min(even.least_met, pair.met);
    even.most_met = std::max(even.most_met, pair.met);
    even.least_after = std::min(even.least_after, pair.after);
    even.most_after = std::max(even.most_after, pair.after);
  }
  return even;
}

}  // namespace referee::schedule
