// Interface to the replay store of a fleet, for the replays of competitions.
//
// The code that assembles a referee implements it (node/shelf_keeper.h).
#ifndef REFEREE_COMPETITION_SHARED_REPLAYS_H_
#define REFEREE_COMPETITION_SHARED_REPLAYS_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "referee/base/ids.h"

namespace referee::competition {

// Thread-safe. No call blocks on a disk or a network, and no callback runs before its call returns.
// Each callback runs at most once, on a thread of the implementation; if the implementation is
// closed first, the callback does not run.
class SharedReplays {
 public:
  virtual ~SharedReplays() = default;

  // Uploads the replay of a match that was played here, and retries until it succeeds; then calls
  // `kept`. While a match is being uploaded or looked for, a second call for it does nothing.
  virtual void Keep(const MatchId& match, std::function<void()> kept) = 0;
  // Looks for the replay of a match that is not here, and retries in the same way. `found` receives
  // the bytes of its file, or NotFound if no referee has uploaded it.
  virtual void Find(const MatchId& match,
                    std::function<void(const absl::StatusOr<std::string>& file)> found) = 0;
  // Why the match still waits after its last try, for people; empty if it does not wait or has not
  // been tried yet.
  virtual std::string WhyWaiting(const MatchId& match) const = 0;
  // Whether WhyWaiting is not empty for some match.
  virtual bool any_waits() const = 0;
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_SHARED_REPLAYS_H_
