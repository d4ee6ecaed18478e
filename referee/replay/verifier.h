// Tells whether a replay is true, from the file alone: its signature, its structure, and by playing
// the match again its dice, every turn, its clocks and its result. Where the rules of the game are
// not in this program, what can be checked without them. Pure functions, thread-safe.
#ifndef REFEREE_REPLAY_VERIFIER_H_
#define REFEREE_REPLAY_VERIFIER_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/replay/replay.h"
#include "referee/replay/signer.h"

namespace referee::replay {

// What the verifier found.
struct Verification {
  // Everything was checked, and is true.
  bool ok = false;
  // Nothing is wrong in what was checked, but that is not all: the rules of the game are not here.
  // `problem` says what was not checked.
  bool in_part = false;
  // The first thing that is wrong, with its turn, in one line; empty if `ok`.
  std::string problem;
  // The turn at which it is wrong; 0 if at none.
  uint32_t turn = 0;
  // Who signed the file, as it says; none if the file could not be read so far.
  absl::optional<PublicKey> public_key;
  // Which match; default-made if the file could not be read so far.
  MatchId match_id;
};

// Verifies the bytes of a replay file. With `expected` only that key's signature counts; without,
// any, and the caller shows whose it was.
Verification Verify(absl::string_view bytes,
                    const absl::optional<PublicKey>& expected = absl::nullopt);

// Verifies a match that is at hand as records: all of the above but the file and its signature.
Verification VerifyMatch(const Replay& replay);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_VERIFIER_H_
