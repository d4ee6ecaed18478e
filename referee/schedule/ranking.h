// Ranks bots by points, or the share of points that they made, and those that are level by
// tie-breaks, one after the other. Pure.
#ifndef REFEREE_SCHEDULE_RANKING_H_
#define REFEREE_SCHEDULE_RANKING_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/types/optional.h"
#include "referee/schedule/encounters.h"
#include "referee/schedule/tie_break.h"

namespace referee::schedule {

// A bot that is to be ranked.
struct Contender {
  int bot = 0;
  int64_t points = 0;
  // It is ranked by points / possible. The same for all: by points. 0: it comes after all others.
  int64_t possible = 1;
  // Whether it left: it comes after bots that stayed and are level with it in everything else.
  bool left = false;
  // By TieBreak, as integers of any unit; that of the direct encounter is found here.
  std::array<int64_t, kTieBreaks> values{};
};

// A bot, ranked.
struct RankedBot {
  int bot = 0;
  int rank = 1;  // competition rank: 1 2 2 4
  // Half points made in the direct encounter of those who were level when it was looked at; none
  // if it was not, or could not decide.
  absl::optional<int64_t> direct;
};

// Best first; bots that are level in everything, also in whether they left, share a rank, in order
// of their numbers.
//
// A direct encounter decides among those who are level if each pair of them has met, equally often:
// by the points that they made against each other, and then among those who are level in these too,
// again. If they have not, it puts first whom nobody else could reach in the meetings that are
// missing, and then the next.
std::vector<RankedBot> Rank(const std::vector<Contender>& contenders,
                            const std::vector<TieBreak>& tie_breaks, const Encounters& encounters);

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_RANKING_H_
