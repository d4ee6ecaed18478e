// Verifies a replay from the file alone: its signature, its structure and, by playing the match
// again, its dice, turns, clocks and result. Pure functions, thread-safe.
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

// Who had a part in the dice of a match, and so what the replay shows of them.
enum class DiceOrigin {
  kUnknown,   // the match did not start, or the file could not be read that far
  kTwoSteps,  // referee and bots; each nonce was settled before any was revealed
  kPinned,    // the organiser
};
// "pinned by the organiser" and the like; empty for kUnknown.
absl::string_view DiceOriginText(DiceOrigin origin);

// What the verifier found.
struct Verification {
  // Everything was checked, and is true.
  bool ok = false;
  // Nothing is wrong in what was checked, but the rules of the game are not in this program:
  // `problem` says what was not checked.
  bool in_part = false;
  // The first thing that is wrong, with its turn, in one line; empty if `ok`.
  std::string problem;
  // The turn at which it is wrong; 0 if at none.
  uint32_t turn = 0;
  // Who signed the file, as it says; none if the file could not be read that far.
  absl::optional<PublicKey> public_key;
  // Which match; default-constructed if the file could not be read that far.
  MatchId match_id;
  // Where its dice come from, as it says.
  DiceOrigin dice = DiceOrigin::kUnknown;
};

// Verifies the bytes of a replay file. With `keys`, only a signature by one of them is valid, and
// by a former one only under a match that ended before the key was replaced; without, one by any
// key is, and the caller shows whose it was.
Verification Verify(absl::string_view bytes, const absl::optional<KeyRing>& keys = absl::nullopt);

// Verifies a match that is given as records: all of the above but the file and its signature.
Verification VerifyMatch(const Replay& replay);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_VERIFIER_H_
