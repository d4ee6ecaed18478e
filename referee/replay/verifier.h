// Verifies a replay from the file alone.
//
// Checks its signature and its structure. Plays the match again to check dice, turns, clocks and
// result. Pure functions, thread-safe.
#ifndef REFEREE_REPLAY_VERIFIER_H_
#define REFEREE_REPLAY_VERIFIER_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/replay/key_ring.h"
#include "referee/replay/replay.h"
#include "referee/replay/signer.h"

namespace referee::replay {

// Who determined the dice of a match.
enum class DiceOrigin {
  kUnknown,   // the match did not start, or the start could not be read
  kTwoSteps,  // referee and bots; each nonce was fixed before any was revealed
  kPinned,    // the organiser
};
// Returns text such as "pinned by the organiser"; empty for kUnknown.
absl::string_view DiceOriginText(DiceOrigin origin);

// The result of a verification.
struct Verification {
  // Everything was checked, and is correct.
  bool ok = false;
  // Everything checked is correct, but this program lacks the rules of the game. `problem` says
  // what was not checked.
  bool in_part = false;
  // The first error, with its turn, in one line; empty if `ok`.
  std::string problem;
  // The turn of the error; 0: none.
  uint32_t turn = 0;
  // The signer, as the file says; none if the file could not be read that far.
  absl::optional<PublicKey> public_key;
  // The match; default-constructed if the file could not be read that far.
  MatchId match_id;
  // The origin of the dice, as the file says.
  DiceOrigin dice = DiceOrigin::kUnknown;
};

// Verifies the bytes of a replay file. With `keys`, only signatures by these keys are valid; a
// former key is valid only for matches that ended before it was replaced. Without `keys`, any key
// is valid, and the caller shows whose it is.
Verification Verify(absl::string_view bytes, const absl::optional<KeyRing>& keys = absl::nullopt);

// Verifies a match given as records: everything except the file and its signature.
Verification VerifyMatch(const Replay& replay);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_VERIFIER_H_
