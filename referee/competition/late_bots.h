// Bots that are to be set aside for attempts at blocks that came to nothing again and again: they
// were late while the referee stood still, or not ready, as was no other bot of the block. Pure.
#ifndef REFEREE_COMPETITION_LATE_BOTS_H_
#define REFEREE_COMPETITION_LATE_BOTS_H_

#include <map>
#include <string>
#include <vector>

#include "referee/base/clock.h"
#include "referee/competition/competition_now.h"
#include "referee/competition/open_blocks.h"
#include "referee/competition/transaction.h"

namespace referee::competition {

// As far as this process knows. Thread-compatible.
class LateBots {
 public:
  // An attempt is closed, or to be made again. Attempts that went on at the same time may be void
  // for one and the same stall: of those that a bot was late in only the first is held against it.
  void Note(const OpenBlock& open, Instant now);
  void Forget(int bot) { by_bot_.erase(bot); }
  std::vector<Removal> Removals(const CompetitionNow& now) const;

 private:
  struct Lateness {
    std::vector<bool> attempts;  // its last ones, the latest last: whether it was
    Instant until;               // when the last that it was late in came to an end
    std::string last;            // the block of that one; for people
  };

  std::map<int, Lateness> by_bot_;
};

// The bots of blocks for which none of them was ready.
std::vector<Removal> RemovalsOfUnready(const CompetitionNow& now, const OpenBlocks& blocks);

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_LATE_BOTS_H_
