// The simulation's random numbers, the same on every machine. Each sequence is addressed by its
// purpose, like the dice of a match, so that draws in one place change none in another: a run with
// one fault fewer differs only in what that fault touched. Thread-compatible.
#ifndef REFEREE_TESTS_SIMULATION_RANDOM_H_
#define REFEREE_TESTS_SIMULATION_RANDOM_H_

#include <cstdint>

#include "absl/time/time.h"
#include "absl/types/span.h"

namespace referee::simulation {

// The purpose of a sequence: the first part of its address.
enum class For : uint64_t {
  kPlan,
  kGroup,
  kBot,
  kMatch,
  kFault,
  kStream,
  kTurn,
  kReady,
  kEntropy,
  kLateTimer,
  kDisk,
  kRestart,
  kBlock,
  kCompetition,
  kStore,
  kStorm,
  kShut,
  kRush,
  kLeaves,
  kPeer,
};

// Mixes one more value into a digest or an address. (The finalizer of SplitMix64.)
inline uint64_t Mixed(uint64_t state, uint64_t value) {
  uint64_t z = state + 0x9e3779b97f4a7c15 + value * 0xd1342543de82ef95;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

class Random {
 public:
  template <typename... Parts>
  Random(uint64_t seed, For what, Parts... address)
      : state_(Mixed(seed, static_cast<uint64_t>(what))) {
    ((state_ = Mixed(state_, static_cast<uint64_t>(address))), ...);
  }

  uint64_t Next() { return Mixed(state_, ++drawn_); }
  // 0 to n - 1. REQUIRES: n > 0.
  int Below(int n) { return static_cast<int>(((Next() >> 32) * static_cast<uint64_t>(n)) >> 32); }
  // low to high, both included.
  int Between(int low, int high) { return low + Below(high - low + 1); }
  bool OneIn(int n) { return Below(n) == 0; }
  // `per_mille` of a thousand times.
  bool Chance(int per_mille) { return Below(1000) < per_mille; }
  // low to high, to the nanosecond. REQUIRES: low <= high, both below 100 years.
  absl::Duration Between(absl::Duration low, absl::Duration high) {
    const int64_t span = absl::ToInt64Nanoseconds(high - low);
    return low + absl::Nanoseconds(static_cast<int64_t>(Next() % static_cast<uint64_t>(span + 1)));
  }
  void Fill(absl::Span<uint8_t> bytes) {
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(Next() >> 56);
  }

 private:
  uint64_t state_;
  uint64_t drawn_ = 0;
};

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_RANDOM_H_
