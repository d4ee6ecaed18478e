// How evenly a competition spreads its bots over its blocks: who meets whom how often, and who sits
// right after whom. Thread-compatible.
#ifndef REFEREE_TESTS_UNIT_SCHEDULE_EVENNESS_H_
#define REFEREE_TESTS_UNIT_SCHEDULE_EVENNESS_H_

#include <cstdint>
#include <vector>

#include "referee/rating/block.h"
#include "referee/schedule/spec.h"

namespace referee::schedule {

// All over pairs of different bots: blocks in which they met, and blocks in which one sat right
// after the other.
struct Evenness {
  int64_t least_met = 0;
  int64_t most_met = 0;
  int64_t least_after = 0;
  int64_t most_after = 0;
  // The greatest difference between how often one sat after the other, and the other after it.
  int64_t most_turned = 0;
};

Evenness EvennessOf(const std::vector<rating::Pairing>& blocks, int bots);

// The blocks of a round robin or a gauntlet in which all bots are always there, and of them the
// greatest lead in blocks begun that a bot ever had.
struct Played {
  std::vector<rating::Pairing> blocks;
  int lead = 0;
};
Played PlayThrough(const Spec& spec);

}  // namespace referee::schedule

#endif  // REFEREE_TESTS_UNIT_SCHEDULE_EVENNESS_H_
