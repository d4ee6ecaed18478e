// What becomes of an open block: it counts, is forfeited, dropped, played again or handed over to
// the home of its competition. COMPETITION.md has the rules. Pure.
#ifndef REFEREE_COMPETITION_BLOCK_END_H_
#define REFEREE_COMPETITION_BLOCK_END_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "referee/competition/absences.h"
#include "referee/competition/competition_now.h"
#include "referee/competition/open_blocks.h"
#include "referee/competition/transaction.h"
#include "referee/store/store.h"

namespace referee::competition {

// A FinishBlock, DropBlock or RetryBlock; none while the block goes on. `decided`: its test is, and
// nothing more is played.
absl::optional<store::Change> DecideEnd(const OpenBlock& open, const CompetitionNow& now,
                                        const Absences& absences, bool decided);
// The block after such a change; none if it stays open.
absl::optional<store::Block> ClosedBy(const store::Change& change, store::Block block);

// The matches that are to be cancelled, if they are not over: those of a block that is given up or
// whose test is decided, and one that waits in the host for a bot that is gone, or for too long at
// a helper.
std::vector<Cancellation> CancellationsOf(const OpenBlock& open, const CompetitionNow& now,
                                          const Absences& absences, bool decided);

// Returns FailedPrecondition when an organiser may not give this block up: it is not open, is
// another referee's, or waits for nothing but that its replays are shared.
absl::Status CheckMayGiveUp(const CompetitionNow& now, const OpenBlocks& blocks, int64_t number);

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_BLOCK_END_H_
