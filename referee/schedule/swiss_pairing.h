// The pairing of one round of a Swiss, as a matching of least cost: bots whose scores differ, or
// that have met, cost more. A pure function.
#ifndef REFEREE_SCHEDULE_SWISS_PAIRING_H_
#define REFEREE_SCHEDULE_SWISS_PAIRING_H_

#include <functional>
#include <vector>

#include "referee/rating/block.h"

namespace referee::schedule {

// Whom a bot met in a round: one of as many points, of fewer (it floated down), or of more.
enum class Float { kNone, kDown, kUp };

// A bot that is to be paired.
struct SwissBot {
  int bot = 0;
  int points = 0;
  int byes = 0;                  // with all that bars it from another
  Float floated = Float::kNone;  // in the round before
};

struct SwissRound {
  std::vector<rating::Pairing> pairings;  // the best ranked first
  int bye = -1;                           // the bot that is left over, of an odd number
};

// Pairs them all; `bots` are in order of points, best first. How it chooses is in COMPETITION.md.
// `met` says how often two bots have met. REQUIRES: at least two bots.
SwissRound PairSwiss(const std::vector<SwissBot>& bots, const std::function<int(int, int)>& met);

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_SWISS_PAIRING_H_
