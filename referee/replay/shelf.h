// Where the replays of matches that are over are kept. A recorder puts a replay here when it seals
// the match; what is here is never changed. folders.h implements the interface with a file for each
// match, pack_shelf.h with packs.
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
  // Keeps the replay file of a match; `summary` is of what it holds. When it returns OK the file
  // survives a kill of the process; Sync makes it survive a loss of power. The same file again is
  // OK. On failure (ResourceExhausted: a full disk) nothing is kept.
  virtual absl::Status Put(const ReplaySummary& summary, absl::string_view file) = 0;
  // The bytes of a replay file. Returns NotFound when there is none.
  virtual absl::StatusOr<std::string> Read(const MatchId& id) const = 0;
  // Puts on the disk all that was Put before the call. May wait long. After an error what was Put
  // may be lost with the power, until a later call returns OK.
  virtual absl::Status Sync() = 0;
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_SHELF_H_
