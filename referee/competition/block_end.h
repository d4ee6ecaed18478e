// Decides how an open block ends. COMPETITION.md has the rules.
//
// A block counts, is forfeited, is dropped, is played again, or is handed back to the owner of the
// competition. Pure functions.
#ifndef REFEREE_COMPETITION_BLOCK_END_H_
#define REFEREE_COMPETITION_BLOCK_END_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/competition/absences.h"
#include "referee/competition/competition_now.h"
#include "referee/store/store.h"

namespace referee::competition {

// Returns a FinishBlock, DropBlock or RetryBlock; none while the block goes on. `decided`: the test
// has accepted a hypothesis.
absl::optional<store::Change> DecideEnd(const OpenBlock& open, const CompetitionNow& now,
                                        const Absences& absences, bool decided);
// Returns the block after `change`; none if `change` leaves it open.
absl::optional<store::Block> ClosedBy(const store::Change& change, store::Block block);

// Returns the matches to cancel.
//
// - All unfinished matches of a block that was given up or whose test is decided.
// - The first match of a block that still waits in the host, if one of its bots is gone, its
//   competition has moved, or a helper has waited too long.
std::vector<Cancellation> CancellationsOf(const OpenBlock& open, const CompetitionNow& now,
                                          const Absences& absences, bool decided);

// Returns FailedPrecondition: the block is over, or has not begun.
absl::Status BlockNotOpen(absl::string_view competition, int64_t number);
// Checks whether an organiser may give the block up. Returns FailedPrecondition if the block is not
// open, belongs to another referee, or only waits for its replays to be uploaded.
absl::Status CheckMayGiveUp(const CompetitionNow& now, const OpenBlocks& blocks, int64_t number);

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_BLOCK_END_H_
