// What of a match can be checked without the rules of its game: the seed against the commitment,
// that the records follow each other, clocks and faults, that the ranks are ranks and agree with
// the forfeits. For verifier.h. Pure functions, thread-safe.
#ifndef REFEREE_REPLAY_RULE_FREE_VERIFIER_H_
#define REFEREE_REPLAY_RULE_FREE_VERIFIER_H_

#include <string>

#include "referee/replay/replay.h"
#include "referee/replay/verifier.h"

namespace referee::replay {

// What is wrong with the seed that the match reveals: whether it is that of the commitment, and the
// one that the match was pinned to. Empty if nothing is.
std::string SeedProblem(const Replay& replay);

// Verifies a match in part: never `ok`. REQUIRES: replay.setup.game is not null.
Verification VerifyWithoutRules(const Replay& replay);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_RULE_FREE_VERIFIER_H_
