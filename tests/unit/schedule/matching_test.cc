// Tests of the matching against all possible matchings.
#include "referee/schedule/matching.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {
namespace {

using Costs = std::vector<std::vector<int64_t>>;

// (pairs, minus cost) of the best matching of those from `first` that are not taken.
std::pair<int, int64_t> Best(const Costs& costs, size_t first, std::vector<bool>* taken) {
  while (first < costs.size() && (*taken)[first]) ++first;
  if (first == costs.size()) return {0, 0};
  std::pair<int, int64_t> best = Best(costs, first + 1, taken);  // it stays alone
  for (size_t other = first + 1; other < costs.size(); ++other) {
    if ((*taken)[other] || costs[first][other] == kNever) continue;
    (*taken)[other] = true;
    std::pair<int, int64_t> with = Best(costs, first + 1, taken);
    (*taken)[other] = false;
    with.first += 1;
    with.second -= costs[first][other];
    best = std::max(best, with);
  }
  return best;
}

TEST(Matching, HasMostPairsAndOfTheseTheLeastCost) {
  Chance chance(1);
  for (int trial = 0; trial < 3000; ++trial) {
    const size_t n = 1 + static_cast<size_t>(chance.Below(9));
    const int density = 1 + chance.Below(6);
    const int dearest = trial % 3 == 0 ? 1 : trial % 3 == 1 ? 4 : 1000;
    Costs costs(n, std::vector<int64_t>(n, kNever));
    for (size_t a = 0; a < n; ++a) {
      for (size_t b = a + 1; b < n; ++b) {
        if (chance.Below(6) < density) costs[a][b] = costs[b][a] = chance.Below(dearest);
      }
    }
    const std::vector<int> partner = CheapestMatching(costs);
    std::pair<int, int64_t> found = {0, 0};
    for (size_t a = 0; a < n; ++a) {
      if (partner[a] < 0) continue;
      const size_t b = static_cast<size_t>(partner[a]);
      ASSERT_EQ(partner[b], static_cast<int>(a)) << "trial " << trial;
      ASSERT_NE(costs[a][b], kNever) << "trial " << trial;
      if (a < b) found = {found.first + 1, found.second - costs[a][b]};
    }
    std::vector<bool> taken(n, false);
    ASSERT_EQ(found, Best(costs, 0, &taken)) << "trial " << trial;
  }
}

}  // namespace
}  // namespace referee::schedule
