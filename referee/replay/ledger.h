// The ledger of former referees: a second log beside the journals, of what was to survive a loss of
// power. It is read once, when its matches are taken over (former.h). Format: FORMAT.md.
#ifndef REFEREE_REPLAY_LEDGER_H_
#define REFEREE_REPLAY_LEDGER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "referee/base/ids.h"

namespace referee::replay {

struct LedgerEntry {
  enum class Kind : uint8_t {
    kOpening = 1,  // how the journal of a match begins
    kReplay = 2,   // a replay file
  };
  Kind kind = Kind::kOpening;
  MatchId id;
  std::string bytes;
};

// Returns what the files of a ledger in `folder` hold, oldest first. A torn end is left out: nobody
// was told of it. Empty if there is no ledger. Returns FailedPrecondition that names the file when
// it is of a version not known here.
absl::StatusOr<std::vector<LedgerEntry>> ReadLedger(const std::string& folder);

// Moves the files, if there are any, into `aside`, which is there, and syncs that.
absl::Status MoveLedger(const std::string& folder, const std::string& aside);

// Removes the files, if there are any.
absl::Status RemoveLedger(const std::string& folder);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_LEDGER_H_
