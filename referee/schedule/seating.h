// Who sits after whom. A block is played in all rotations of its seats, so of its order only that
// counts: a seat's advantage is everybody's, but whoever plays after a weak bot does so in every
// match. Thread-compatible.
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

// By place in a pairing: what it costs if the second of two sits right after the first, and what if
// two seats after it. The first kind decides; the second only among orders that cost the same.
struct SeatCosts {
  using Table = std::array<std::array<int64_t, limits::kMaxSeats>, limits::kMaxSeats>;
  Table after = {};
  Table two_after = {};
};

// Puts the bots in the order round the table that costs least: of more than six, in one that
// changing places with one another betters for no two. The first stays first; of equal orders the
// first in the order of places is taken. REQUIRES: 2 to limits::kMaxSeats bots.
void SeatAtLeastCost(const SeatCosts& costs, rating::Pairing* pairing);

// What it costs that a bot sits after another, such that seating at least cost evens it out: of
// `met` blocks of `seats` seats that the two have played, it did so in `after`, which should be the
// share 1 : seats - 1 of them.
inline int64_t CostOfAfter(int64_t met, int64_t after, size_t seats) {
  return static_cast<int64_t>(seats - 1) * after - met;
}

// Counts of who sat after whom, and the order that evens them out most.
class Seating {
 public:
  // Puts the bots in the order in which they have sat least, as far as it was counted.
  void Seat(rating::Pairing* pairing) const;
  void Count(const rating::Pairing& pairing);

 private:
  struct Sat {
    int64_t met = 0;
    int64_t after = 0;      // the second right after the first
    int64_t two_after = 0;  // two seats after it
  };
  absl::flat_hash_map<std::pair<int, int>, Sat> sat_;
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_SEATING_H_
