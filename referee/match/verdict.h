// The verdict of a match: how it ended, and the score and rank of each seat. The match, its host,
// its replay and competitions all pass a result in this form. Plain values.
#ifndef REFEREE_MATCH_VERDICT_H_
#define REFEREE_MATCH_VERDICT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
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
  // Of kResigned: no seat had been asked for a move.
  bool unasked = false;

  friend bool operator==(const SeatForfeit& a, const SeatForfeit& b) {
    return a.seat == b.seat && a.cause == b.cause && a.unasked == b.unasked;
  }
};

// What the records of a match say of one seat's time.
struct SeatTime {
  absl::Duration given_back;  // the referee's own stalls that were not charged
  // How often its time ran out, its link being there: forgiven or not. A time loss that is forgiven
  // is none if the link was lost at any time in that turn.
  int time_losses = 0;
  int lost_links = 0;  // turns in which its link was lost while its clock ran

  friend bool operator==(const SeatTime& a, const SeatTime& b) {
    return a.given_back == b.given_back && a.time_losses == b.time_losses &&
           a.lost_links == b.lost_links;
  }
};

// The same of all seats.
struct MatchTimes {
  std::vector<SeatTime> seats;  // by seat
  // Whose reply was late in a turn that had no contest, so that the match is void; else None.
  Seat late;
};

struct Verdict {
  Ending ending = Ending::kFinished;
  std::string reason;                 // the game's, or one sentence for people
  std::vector<int> scores;            // by seat; only with a result
  std::vector<int> ranks;             // by seat, as 1 2 2 4; only with a result
  std::vector<SeatForfeit> forfeits;  // in the order in which they happened
  dice::Seed seed;                    // revealed
  MatchTimes times;                   // what led to it; follows from the records before
  // Revealed with it: the nonces of the key and the hashes that were told before them, as in
  // Started. None of a match that did not start, or whose dice are pinned.
  std::vector<std::string> nonces;
  std::vector<absl::optional<dice::NonceHash>> nonce_hashes;
  // Who cancelled it: the name of an account, or "local" for who was on the referee's machine.
  // Empty: it was not cancelled, or the referee did it by itself.
  std::string cancelled_by = {};
};

// Whether the seat was taken out because it did not answer (TIMEOUT or DISCONNECTED), or resigned
// before any seat was asked for a move, as a bot does that cannot play.
bool WasSilent(const Verdict& verdict, Seat seat);

}  // namespace referee::match

#endif  // REFEREE_MATCH_VERDICT_H_
