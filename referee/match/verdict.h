// The verdict of a match: how it ended, and the score and rank of each seat. The match, its host,
// its replay and competitions all pass a result in this form. Plain values.
#ifndef REFEREE_MATCH_VERDICT_H_
#define REFEREE_MATCH_VERDICT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
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
  // Who cancelled it: the name of an account, or "local" for who was on the referee's machine.
  // Empty: it was not cancelled, or the referee did it by itself.
  std::string cancelled_by = {};
};

// Whether the seat was taken out because it did not answer: TIMEOUT or DISCONNECTED.
bool WasSilent(const Verdict& verdict, Seat seat);

}  // namespace referee::match

#endif  // REFEREE_MATCH_VERDICT_H_
