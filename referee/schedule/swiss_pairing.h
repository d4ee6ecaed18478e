// Pairs one round of a Swiss by a least-cost matching.
//
// Pairs of bots with different scores, or that have met, cost more. A pure function.
#ifndef REFEREE_SCHEDULE_SWISS_PAIRING_H_
#define REFEREE_SCHEDULE_SWISS_PAIRING_H_

#include <functional>
#include <vector>

#include "referee/rating/block.h"

namespace referee::schedule {

// How a bot was paired in a round: with an opponent of as many points, of fewer (it floated down),
// or of more (up).
enum class Float { kNone, kDown, kUp };

// A bot to pair.
struct SwissBot {
  int bot = 0;
  int points = 0;
  int byes = 0;                  // including everything else that bars it from another bye
  Float floated = Float::kNone;  // in the previous round
};

struct SwissRound {
  std::vector<rating::Pairing> pairings;  // best ranked first
  int bye = -1;                           // the bot without an opponent, if their number is odd
};

// Pairs all bots, which are in order of points, best first. COMPETITION.md says how. `met` returns
// how often two bots have met. REQUIRES: at least two bots.
SwissRound PairSwiss(const std::vector<SwissBot>& bots, const std::function<int(int, int)>& met);

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_SWISS_PAIRING_H_
