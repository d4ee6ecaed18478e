// The replays of competitions' matches where all daemons of a fleet find them. Whoever puts a
// referee together implements it (node/shelf_keeper.h).
#ifndef REFEREE_COMPETITION_SHARED_REPLAYS_H_
#define REFEREE_COMPETITION_SHARED_REPLAYS_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "referee/base/ids.h"

namespace referee::competition {

// Thread-safe. No call waits for a disk or a network, and none calls back before it returns. What
// is called back is called once, on a thread of the implementation, and not at all if that is
// closed before.
class SharedReplays {
 public:
  virtual ~SharedReplays() = default;

  // Has the replay of a match that was played here put where all find it, however long that takes;
  // `kept` is called when it is there. While a match is being put, or looked for, a second call
  // for it does nothing.
  virtual void Keep(const MatchId& match, std::function<void()> kept) = 0;
  // Looks for the replay of a match that is not here, in the same way; `found` gets the bytes of
  // its file, or NotFound when nobody has put it there.
  virtual void Find(const MatchId& match,
                    std::function<void(const absl::StatusOr<std::string>& file)> found) = 0;
  // Why the match still waits after its last try, for people; empty if it does not, or was not
  // tried yet.
  virtual std::string WhyWaiting(const MatchId& match) const = 0;
  // Whether it is not empty for some match.
  virtual bool any_waits() const = 0;
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_SHARED_REPLAYS_H_
