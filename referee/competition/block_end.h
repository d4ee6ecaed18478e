// Decides what becomes of an open block. COMPETITION.md has the rules.
//
// A block counts, is forfeited, is dropped, is played again, or goes back to the home of its
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
// Returns the block after that change; none if the change leaves it open.
absl::optional<store::Block> ClosedBy(const store::Change& change, store::Block block);

// Returns the matches to cancel: all of a block that is given up or whose test is decided, and one
// that waits in the host for a bot that is gone, or too long at a helper.
std::vector<Cancellation> CancellationsOf(const OpenBlock& open, const CompetitionNow& now,
                                          const Absences& absences, bool decided);

// The block is over, or has not begun.
absl::Status BlockNotOpen(absl::string_view competition, int64_t number);
// Checks whether an organiser may give the block up. Returns FailedPrecondition if it is not open,
// belongs to another referee, or waits only for its replays to be shared.
absl::Status CheckMayGiveUp(const CompetitionNow& now, const OpenBlocks& blocks, int64_t number);

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_BLOCK_END_H_
