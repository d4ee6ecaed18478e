// Maximum-cardinality matching of minimum cost in a general graph.
//
// Edmonds's blossom algorithm with dual variables, in O(n^3); see Z. Galil, "Efficient algorithms
// for finding maximum matching in graphs", ACM Computing Surveys 18 (1986). Deterministic.
#ifndef REFEREE_SCHEDULE_MATCHING_H_
#define REFEREE_SCHEDULE_MATCHING_H_

#include <cstdint>
#include <vector>

namespace referee::schedule {

// The cost of two that must not be paired.
inline constexpr int64_t kNever = -1;

// Returns the partner of each, -1 for none: of the matchings with most pairs, one of least cost.
// REQUIRES: `cost[a][b]` equals cost[b][a], and is kNever or at least 0; the greatest cost times n
// is below 2^60.
std::vector<int> CheapestMatching(const std::vector<std::vector<int64_t>>& cost);

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_MATCHING_H_
