// A competition as one step of its planner (planner.h) sees it.
//
// It has the store's row and entrants, the competition's home, and what the host and the clocks
// said when the step began. The parts of the planner decide by it. Plain values.
#ifndef REFEREE_COMPETITION_COMPETITION_NOW_H_
#define REFEREE_COMPETITION_COMPETITION_NOW_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/base/limits.h"
#include "referee/competition/homes.h"
#include "referee/host/host_view.h"
#include "referee/rating/block.h"
#include "referee/store/store.h"

namespace referee::competition {

// What a step begins with.
struct Situation {
  Instant now;
  absl::Time wall_now;
  host::HostView host;    // the answer to Planner::question
  bool may_begin = true;  // blocks; false: what has begun is played to its end
  // A competition of higher priority takes the places that become free next: none begins.
  bool yields = false;
  std::vector<store::Help> help = {};       // what its helpers offer; at its home
  int64_t max_blocks = limits::kMaxBlocks;  // no block begins whose number is not below it
};

// `bot` is the number of an entrant. Thread-compatible.
struct CompetitionNow {
  // An open block that another daemon plays.
  struct Foreign {
    rating::Pairing pairing;
    std::string owner;
  };

  // Sets the entrants, their names in the spec, and `standing`.
  void SetEntrants(std::vector<store::Entrant> all);

  bool running() const { return row.state == store::CompetitionState::kRunning; }
  // Whether the format ends by itself: all but a ladder.
  bool ends() const { return row.spec.format != schedule::Format::kLadder; }
  // Whether the bot has left the competition. An entrant whose place another version took is not
  // out as long as its bot is in: the blocks that it began go on.
  bool IsOut(int bot) const { return entrants[standing[bot]].presence != store::Presence::kIn; }
  // What the host says of the bot; default-made if it says nothing.
  const host::BotView& ViewOf(int bot) const;
  // Whether the bot is offline, or takes no blocks.
  bool IsAway(int bot) const;
  // Why blocks do not wait for the bot: "'alice' has left".
  std::string WhyGone(int bot) const;
  // Takes the slots of a block from its bots and the host. Returns false and takes none if one of
  // them has too few.
  bool TakeSlots(const rating::Pairing& pairing);

  store::Competition row;  // with spec.entrants
  std::vector<store::Entrant> entrants;
  std::vector<int> standing;           // by entrant: the one that stands for its bot
  std::map<int64_t, Foreign> foreign;  // by number; at the home, as far as it knows
  Home home;
  Situation situation;  // of the last step; free slots go down as blocks are made
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_COMPETITION_NOW_H_
