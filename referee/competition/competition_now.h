// A competition as one step of its planner (planner.h) sees it: the store's row and entrants, the
// daemon that is its home, and what the host and the clocks said as the step began. Plain values;
// thread-compatible.
#ifndef REFEREE_COMPETITION_COMPETITION_NOW_H_
#define REFEREE_COMPETITION_COMPETITION_NOW_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/competition/homes.h"
#include "referee/host/host_view.h"
#include "referee/rating/block.h"
#include "referee/store/store.h"

namespace referee::competition {

struct Situation {
  Instant now;
  absl::Time wall_now;
  host::HostView host;    // the answer to Planner::question
  bool may_begin = true;  // blocks; false: what has begun is played to its end
  // A competition of higher priority takes the places that become free next: none begins.
  bool yields = false;
  std::vector<store::Help> help = {};  // what its helpers offer; at its home
};

struct CompetitionNow {
  // An open block of another daemon, as far as the home knows.
  struct Foreign {
    rating::Pairing pairing;
    std::string owner;
  };

  // Sets the entrants, and what follows from them.
  void SetEntrants(std::vector<store::Entrant> all);

  bool running() const { return row.state == store::CompetitionState::kRunning; }
  // Whether the format ends by itself.
  bool ends() const { return row.spec.format != schedule::Format::kLadder; }
  // Whether the bot is out, whichever of its entrants this is: what one has begun that was
  // succeeded goes on as long as the bot is in.
  bool IsOut(int bot) const { return entrants[standing[bot]].presence != store::Presence::kIn; }
  const host::BotView& ViewOf(int bot) const;
  // Whether a bot cannot play: it is not connected, or takes no block.
  bool IsAway(int bot) const;
  // "'alice' has left"
  std::string WhyGone(int bot) const;
  // Takes slots for a block from its bots and the host. Returns false, and takes none, if one of
  // them has too few.
  bool TakeSlots(const rating::Pairing& pairing);

  store::Competition row;  // with spec.entrants
  std::vector<store::Entrant> entrants;
  std::vector<int> standing;  // by entrant: the one that stands for its bot
  std::map<int64_t, Foreign> foreign;
  Home home;
  Situation situation;  // of the last step; free slots go down as blocks are made
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_COMPETITION_NOW_H_
