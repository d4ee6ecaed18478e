// Monte Carlo selection of a move: fast playouts from each candidate, and the best mean result
// wins.
//
// Sequential halving spends the time where it matters. All candidates get equally many playouts for
// a while, then the worse half drops out, until one is left. In each round all candidates share the
// same random numbers, which reduces the noise in their difference.
#ifndef REFEREE_SAMPLE_BOTS_STRONG_PLAYOUTS_H_
#define REFEREE_SAMPLE_BOTS_STRONG_PLAYOUTS_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sample-bots/strong/budget.h"

namespace strong {

// A fast random number generator (SplitMix64), good enough for playouts.
class Luck {
 public:
  explicit Luck(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t x = state_ += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }
  // 0 to n - 1. REQUIRES: 0 < n < 2^31.
  int Below(int n) { return static_cast<int>((Next() >> 33) * static_cast<uint64_t>(n) >> 31); }

 private:
  uint64_t state_;
};

// Returns the index of the best of `count` candidates. `playout(index, luck)` plays a match on from
// a candidate and returns its result, from 0 (lost) to 1 (won). Each call counts as one step of the
// budget. REQUIRES: count > 0.
template <typename Playout>
size_t BestByPlayouts(size_t count, Luck luck, Budget* budget, Playout playout) {
  struct Candidate {
    size_t index;
    double sum = 0;
  };
  std::vector<Candidate> candidates;
  for (size_t i = 0; i < count; ++i) candidates.push_back({i});
  const double heats = std::ceil(std::log2(static_cast<double>(count)));
  for (double heat = 1; candidates.size() > 1; ++heat) {
    do {
      const uint64_t seed = luck.Next();
      for (Candidate& candidate : candidates) {
        candidate.sum += playout(candidate.index, Luck(seed));
        budget->Step();
      }
    } while (budget->used() < heat / heats);
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.sum > b.sum; });
    candidates.resize((candidates.size() + 1) / 2);
  }
  return candidates.front().index;
}

}  // namespace strong

#endif  // REFEREE_SAMPLE_BOTS_STRONG_PLAYOUTS_H_
