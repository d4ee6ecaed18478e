// Maximum matching of least cost in a general graph: pairs as many as can be paired, as cheaply as
// that can be done. Edmonds's blossom algorithm with dual variables, in O(n^3); see Z. Galil,
// "Efficient algorithms for finding maximum matching in graphs", ACM Computing Surveys 18 (1986).
// Deterministic.
#ifndef REFEREE_SCHEDULE_MATCHING_H_
#define REFEREE_SCHEDULE_MATCHING_H_

#include <cstdint>
#include <vector>

namespace referee::schedule {

// Two that must not be paired.
inline constexpr int64_t kNever = -1;

// `cost[a][b]`, the same as cost[b][a], is kNever or at least 0; the greatest times n is below
// 2^60. Returns for each its partner, -1 for none: of the matchings with most pairs, one that costs
// least.
std::vector<int> CheapestMatching(const std::vector<std::vector<int64_t>>& cost);

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_MATCHING_H_
