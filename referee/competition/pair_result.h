// What two bots made against each other, seen from the side of one of them. Pure.
#ifndef REFEREE_COMPETITION_PAIR_RESULT_H_
#define REFEREE_COMPETITION_PAIR_RESULT_H_

#include <array>
#include <cstdint>

#include "referee/store/store.h"

namespace referee::competition {

// Over the counted blocks of a competition of two seats.
struct PairResult {
  int bot = 0;  // entrants' numbers
  int opponent = 0;
  // The number of blocks by the half points that `bot` made in their two matches: 0 to 4.
  std::array<int64_t, 5> blocks{};
  int64_t wins = 0;  // matches, of `bot`
  int64_t draws = 0;
  int64_t losses = 0;
};

// The total from the side of `bot`. REQUIRES: that is one of the two.
PairResult ResultOf(const store::PairTotal& total, int bot);

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_PAIR_RESULT_H_
