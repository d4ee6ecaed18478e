// Seat orders of blocks: which bot sits after which.
//
// A block is played in all rotations of its seats, so only the cyclic order matters. Every bot gets
// the advantage of each seat, but a bot that plays after a weak bot does so in every match.
// Thread-compatible.
#ifndef REFEREE_SCHEDULE_SEATING_H_
#define REFEREE_SCHEDULE_SEATING_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "referee/base/limits.h"
#include "referee/rating/block.h"

namespace referee::schedule {

// The costs of a seat order, by place in a pairing: `after[i][k]` if the bot at place k sits right
// after the bot at place i, `two_after[i][k]` if it sits two seats after. `two_after` only breaks
// ties of `after`.
struct SeatCosts {
  using Table = std::array<std::array<int64_t, limits::kMaxSeats>, limits::kMaxSeats>;
  Table after = {};
  Table two_after = {};
};

// Puts the bots in the cyclic order of least cost. Of more than six bots, the order is only such
// that no exchange of two bots improves it. The first bot stays first; of equal orders the first by
// places is chosen. REQUIRES: 2 to limits::kMaxSeats bots.
void SeatAtLeastCost(const SeatCosts& costs, rating::Pairing* pairing);

// Returns the cost of seating a bot after another, such that seating at least cost evens it out.
// The two have met in `met` blocks of `seats` seats, and one sat after the other in `after` of
// them. Even is a share of 1 / (seats - 1).
inline int64_t CostOfAfter(int64_t met, int64_t after, size_t seats) {
  return static_cast<int64_t>(seats - 1) * after - met;
}

// Counts who sat after whom, and finds the order that evens it out most.
class Seating {
 public:
  // Puts the bots in the order in which they have sat least, as far as counted.
  void Seat(rating::Pairing* pairing) const;
  void Count(const rating::Pairing& pairing);

 private:
  struct Sat {
    int64_t met = 0;
    int64_t after = 0;      // the second sat right after the first
    int64_t two_after = 0;  // the second sat two seats after the first
  };
  absl::flat_hash_map<std::pair<int, int>, Sat> sat_;
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_SEATING_H_
