// Bots that are away while something waits for them, and how much longer it waits. Pure.
#ifndef REFEREE_COMPETITION_ABSENCES_H_
#define REFEREE_COMPETITION_ABSENCES_H_

#include <map>
#include <set>
#include <vector>

#include "referee/base/clock.h"
#include "referee/competition/competition_now.h"
#include "referee/competition/open_blocks.h"
#include "referee/rating/block.h"
#include "referee/schedule/schedule.h"

namespace referee::competition {

// A bot to take out of the competition.
struct Removal {
  int bot = 0;
  store::Presence out = store::Presence::kWithdrawn;
  std::string reason;
  absl::optional<store::Suspension> suspension = {};  // it comes back by itself
};

// Returns the bots that open blocks wait for, and those that the schedule needs; with `only_away`,
// only those of the latter that are away.
std::set<int> WaitedFor(const CompetitionNow& now, const OpenBlocks& open,
                        const schedule::Schedule& schedule, bool only_away);

// Thread-compatible.
class Absences {
 public:
  // Notes which of these bots are away. Returns those that have been away for too long.
  std::vector<Removal> Update(const CompetitionNow& now, const std::set<int>& waited_for);
  // Returns the places of bots for which a block does not wait: they are out, or have been away for
  // too long as of the last Update.
  std::vector<int> GonePlaces(const CompetitionNow& now, const rating::Pairing& pairing) const;
  // Returns when the next bot has been away for too long; InfiniteFuture if none will.
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
