#include "referee/schedule/swiss_pairing.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "referee/schedule/matching.h"

namespace referee::schedule {
namespace {

using Met = std::function<int(int, int)>;
using Costs = std::vector<std::vector<int64_t>>;

int64_t Square(int64_t x) { return x * x; }

// Whether each vertex has a partner.
bool Perfect(const std::vector<int>& partner) {
  return std::find(partner.begin(), partner.end(), -1) == partner.end();
}

int FewestByes(const std::vector<SwissBot>& bots) {
  int fewest = bots[0].byes;
  for (const SwissBot& bot : bots) fewest = std::min(fewest, bot.byes);
  return fewest;
}

// Returns the place of the bot with the bye: the lowest of the bots with fewest byes without which
// the others can be paired without repeated meetings. If there is none, the lowest bot with fewest
// byes. The bye is a vertex of the matching; it costs more for higher bots.
size_t ChooseBye(const std::vector<SwissBot>& bots, const Met& met) {
  const size_t n = bots.size();
  const int fewest = FewestByes(bots);
  Costs costs(n + 1, std::vector<int64_t>(n + 1, kNever));
  size_t lowest = 0;
  for (size_t a = 0; a < n; ++a) {
    for (size_t b = 0; b < n; ++b) {
      if (a != b && met(bots[a].bot, bots[b].bot) == 0) costs[a][b] = 0;
    }
    if (bots[a].byes != fewest) continue;
    costs[a][n] = costs[n][a] = static_cast<int64_t>(n - 1 - a);
    lowest = a;
  }
  const std::vector<int> partner = CheapestMatching(costs);
  return Perfect(partner) ? static_cast<size_t>(partner[n]) : lowest;
}

// By place: how many bots have the same points.
std::vector<int64_t> GroupSizes(const std::vector<SwissBot>& bots) {
  std::vector<int64_t> sizes;
  for (const SwissBot& bot : bots) {
    sizes.push_back(std::count_if(bots.begin(), bots.end(), [&bot](const SwissBot& other) {
      return other.points == bot.points;
    }));
  }
  return sizes;
}

// Whether one of the two floats as in the previous round; `gap` is the lead of `upper` in points.
bool FloatsAgain(const SwissBot& upper, const SwissBot& lower, int64_t gap) {
  return gap > 0 && (upper.floated == Float::kDown || lower.floated == Float::kUp);
}

// The costs if no two bots meet again, in order of importance:
//
// - the squares of point differences;
// - the pairs in which a bot floats as in the previous round;
// - within a score group, the distance from pairing the upper with the lower half in order; between
//   groups, the distance of places.
//
// For 1,000 bots the cost is below 10^15 a pair, and 2^60 for all.
Costs AnewCosts(const std::vector<SwissBot>& bots, const Met& met) {
  const int64_t n = static_cast<int64_t>(bots.size());
  const int64_t above_all_places = n * n / 2 + 1;  // of all n / 2 pairs
  const int64_t above_all_floats = n / 2 + 1;
  const std::vector<int64_t> sizes = GroupSizes(bots);
  Costs costs(bots.size(), std::vector<int64_t>(bots.size(), kNever));
  for (int64_t a = 0; a < n; ++a) {
    for (int64_t b = a + 1; b < n; ++b) {
      if (met(bots[a].bot, bots[b].bot) > 0) continue;
      const int64_t gap = bots[a].points - bots[b].points;
      const int64_t places = gap == 0 ? std::abs(b - a - sizes[a] / 2) : 2 * (b - a);
      const int64_t floats = FloatsAgain(bots[a], bots[b], gap) ? 1 : 0;
      costs[a][b] = costs[b][a] =
          (Square(gap) * above_all_floats + floats) * above_all_places + places;
    }
  }
  return costs;
}

// The costs if some bots must meet again: first the number of repeated meetings, then the squares
// of point differences.
Costs AgainCosts(const std::vector<SwissBot>& bots, const Met& met) {
  const int64_t n = static_cast<int64_t>(bots.size());
  const int64_t above_all_gaps = n * Square(bots.front().points - bots.back().points) + 1;
  Costs costs(bots.size(), std::vector<int64_t>(bots.size(), kNever));
  for (int64_t a = 0; a < n; ++a) {
    for (int64_t b = a + 1; b < n; ++b) {
      costs[a][b] = costs[b][a] =
          met(bots[a].bot, bots[b].bot) * above_all_gaps + Square(bots[a].points - bots[b].points);
    }
  }
  return costs;
}

}  // namespace

SwissRound PairSwiss(const std::vector<SwissBot>& bots, const Met& met) {
  SwissRound round;
  std::vector<SwissBot> paired = bots;
  if (bots.size() % 2 == 1) {
    const size_t bye = ChooseBye(bots, met);
    round.bye = bots[bye].bot;
    paired.erase(paired.begin() + static_cast<std::ptrdiff_t>(bye));
  }
  std::vector<int> partner = CheapestMatching(AnewCosts(paired, met));
  if (!Perfect(partner)) partner = CheapestMatching(AgainCosts(paired, met));
  for (size_t a = 0; a < paired.size(); ++a) {
    const size_t b = static_cast<size_t>(partner[a]);
    if (a < b) round.pairings.push_back(rating::Pairing{{paired[a].bot, paired[b].bot}});
  }
  return round;
}

}  // namespace referee::schedule
