// How evenly a competition spreads its bots over its blocks. Thread-compatible.
#ifndef REFEREE_TESTS_UNIT_SCHEDULE_EVENNESS_H_
#define REFEREE_TESTS_UNIT_SCHEDULE_EVENNESS_H_

#include <cstdint>
#include <vector>

#include "referee/rating/block.h"
#include "referee/schedule/evenness.h"
#include "referee/schedule/spec.h"

namespace referee::schedule {

// Over all pairs of so many bots.
Evenness EvennessOf(const std::vector<rating::Pairing>& blocks, int bots);

// The greatest difference between how often one bot sat right after another, and that one after it.
int64_t MostTurned(const std::vector<rating::Pairing>& blocks, int bots);

// The blocks of a round robin or a gauntlet in which all bots are always there, and of them the
// greatest lead in blocks begun that a bot ever had.
struct Played {
  std::vector<rating::Pairing> blocks;
  int lead = 0;
};
Played PlayThrough(const Spec& spec);

}  // namespace referee::schedule

#endif  // REFEREE_TESTS_UNIT_SCHEDULE_EVENNESS_H_
