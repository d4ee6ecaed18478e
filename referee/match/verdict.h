// The verdict of a match: how it ended, and the score and rank of each seat. The match, its host,
// its replay and competitions all pass a result in this form. Plain values.
#ifndef REFEREE_MATCH_VERDICT_H_
#define REFEREE_MATCH_VERDICT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/dice/dice.h"

namespace referee::match {

enum class Cause { kTimeout, kIllegal, kDisconnected, kResigned };
// "TIMEOUT", "ILLEGAL", "DISCONNECTED", "RESIGNED".
absl::string_view CauseName(Cause cause);

enum class Ending {
  kFinished,   // under the rules: there is a result
  kVoid,       // no result, through no fault of a bot
  kCancelled,  // no result, on request
};

// A seat that was taken out of its match, and why.
struct SeatForfeit {
  Seat seat;
  Cause cause = Cause::kTimeout;

  friend bool operator==(const SeatForfeit& a, const SeatForfeit& b) {
    return a.seat == b.seat && a.cause == b.cause;
  }
};

struct Verdict {
  Ending ending = Ending::kFinished;
  std::string reason;                 // the game's, or one sentence for people
  std::vector<int> scores;            // by seat; only with a result
  std::vector<int> ranks;             // by seat, as 1 2 2 4; only with a result
  std::vector<SeatForfeit> forfeits;  // in the order in which they happened
  dice::Seed seed;                    // revealed
  // Revealed with it: the nonces of the key and the hashes that were told before them, as in
  // Started. None of a match that did not start, or whose dice are pinned.
  std::vector<std::string> nonces;
  std::vector<absl::optional<dice::NonceHash>> nonce_hashes;
};

// Whether the seat was taken out because it did not answer: TIMEOUT or DISCONNECTED.
bool WasSilent(const Verdict& verdict, Seat seat);

}  // namespace referee::match

#endif  // REFEREE_MATCH_VERDICT_H_
