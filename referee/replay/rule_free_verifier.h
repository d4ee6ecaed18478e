// Verifies a match without the rules of its game.
//
// Checks the seed against the commitment, the order of the records, clocks and faults. Checks that
// ranks are valid and agree with the forfeits. Used by verifier.h. Pure functions, thread-safe.
#ifndef REFEREE_REPLAY_RULE_FREE_VERIFIER_H_
#define REFEREE_REPLAY_RULE_FREE_VERIFIER_H_

#include <string>

#include "referee/replay/replay.h"
#include "referee/replay/verifier.h"

namespace referee::replay {

// Returns what is wrong with the revealed seed; empty: nothing. It must match the commitment and,
// in a pinned match, equal the pinned seed.
std::string SeedProblem(const Replay& replay);

// Returns what is wrong with the nonces, in one line; empty: nothing. Each nonce must match the
// hash that was published before any nonce was revealed. A seat may lack its nonce only if it was
// out before the first turn, or was the only seat that did not resign before the first turn.
std::string NonceProblem(const Replay& replay);

// Returns the origin of the dice of a match.
DiceOrigin DiceOriginOf(const Replay& replay);

// Verifies a match in part: the result is never `ok`. REQUIRES: replay.setup.game is not null.
Verification VerifyWithoutRules(const Replay& replay);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_RULE_FREE_VERIFIER_H_
