// Interface that stores the replays of finished matches.
//
// A recorder puts a replay here when it seals the match. A stored replay never changes. folders.h
// stores one file per match, pack_shelf.h stores packs.
#ifndef REFEREE_REPLAY_SHELF_H_
#define REFEREE_REPLAY_SHELF_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/base/ids.h"
#include "referee/replay/summary.h"

namespace referee::replay {

// Thread-safe.
class Shelf {
 public:
  virtual ~Shelf() = default;
  // Stores the replay file of a match; `summary` describes it. When it returns OK the file survives
  // a kill of the process; Sync makes it survive a loss of power. OK if the same file is stored
  // already. On failure (ResourceExhausted: a full disk) nothing is stored.
  virtual absl::Status Put(const ReplaySummary& summary, absl::string_view file) = 0;
  // Returns the bytes of a replay file, or NotFound.
  virtual absl::StatusOr<std::string> Read(const MatchId& id) const = 0;
  // Flushes to the disk everything Put before the call. May block for long. After an error a loss
  // of power may destroy these replays, until a later call returns OK.
  virtual absl::Status Sync() = 0;
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_SHELF_H_
