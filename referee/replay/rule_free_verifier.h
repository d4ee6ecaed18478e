// The checks of a match that do not need the rules of its game: the seed against the commitment,
// the order of the records, clocks and faults, and that the ranks are ranks and agree with the
// forfeits. For verifier.h. Pure functions, thread-safe.
#ifndef REFEREE_REPLAY_RULE_FREE_VERIFIER_H_
#define REFEREE_REPLAY_RULE_FREE_VERIFIER_H_

#include <string>

#include "referee/replay/replay.h"
#include "referee/replay/verifier.h"

namespace referee::replay {

// Returns what is wrong with the seed that the match reveals: it must be that of the commitment
// and, in a pinned match, the pinned one. Empty if nothing is.
std::string SeedProblem(const Replay& replay);

// What is wrong with the nonces, in one line; empty if each fits the hash that was told before any
// was revealed, and who did not reveal its own was out before the first turn or was the only seat
// that did not resign before it.
std::string NonceProblem(const Replay& replay);

// Where the dice of a match come from.
DiceOrigin DiceOriginOf(const Replay& replay);

// Verifies a match in part: never `ok`. REQUIRES: replay.setup.game is not null.
Verification VerifyWithoutRules(const Replay& replay);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_RULE_FREE_VERIFIER_H_
