// Bots that something waits for and that are away: since when, and for how much longer blocks wait
// for them. Pure.
#ifndef REFEREE_COMPETITION_ABSENCES_H_
#define REFEREE_COMPETITION_ABSENCES_H_

#include <map>
#include <set>
#include <vector>

#include "referee/base/clock.h"
#include "referee/competition/competition_now.h"
#include "referee/competition/open_blocks.h"
#include "referee/competition/transaction.h"
#include "referee/rating/block.h"
#include "referee/schedule/schedule.h"

namespace referee::competition {

// Bots that an open block waits for, or that the schedule needs. `only_away`: of the latter, only
// those that are away.
std::set<int> WaitedFor(const CompetitionNow& now, const OpenBlocks& open,
                        const schedule::Schedule& schedule, bool only_away);

// Thread-compatible.
class Absences {
 public:
  // Notes who of those that are waited for is away. Returns those that have been for too long.
  std::vector<Removal> Update(const CompetitionNow& now, const std::set<int>& waited_for);
  // As of the last Update: the places of bots without which a block need not be played, since they
  // are out, or away for too long.
  std::vector<int> GonePlaces(const CompetitionNow& now, const rating::Pairing& pairing) const;
  // When the next of them has been away for too long; InfiniteFuture: none will.
  Instant NextLimit(const CompetitionNow& now) const;

 private:
  struct Absence {
    Instant since;
    Instant gone_since;  // InfiniteFuture: it is there, and takes no matches
  };

  static Instant LimitOf(const CompetitionNow& now, const Absence& absence);
  bool TooLongAway(const CompetitionNow& now, int bot) const;

  std::map<int, Absence> by_bot_;
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_ABSENCES_H_
