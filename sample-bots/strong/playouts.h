// Monte Carlo: to know which of several moves is best, play the match on from each of them many
// times, quickly and without much thought, and see how often it is won.
//
// The time is spent where it counts (sequential halving): all candidates are tried equally often
// for a while, then the worse half drops out, and so on until one is left. In each round all
// candidates meet the same luck, so that the difference between them is theirs.
#ifndef REFEREE_SAMPLE_BOTS_STRONG_PLAYOUTS_H_
#define REFEREE_SAMPLE_BOTS_STRONG_PLAYOUTS_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sample-bots/strong/budget.h"

namespace strong {

// A fast source of chance (SplitMix64), good enough for playouts.
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

// Returns the index of the best of `count` candidates. `playout(index, luck)` plays one on and
// returns how it came out, from 0 (lost) to 1 (won); it counts as one step of the budget.
// REQUIRES: count > 0.
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
