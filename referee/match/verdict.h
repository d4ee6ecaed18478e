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

  friend bool operator==(const SeatForfeit& a, const SeatForfeit& b) {
    return a.seat == b.seat && a.cause == b.cause;
  }
};

// What a match counts of a seat's time and link, over all of its turns.
struct SeatTime {
  absl::Duration given_back;  // of its clock, since the referee stood still meanwhile
  int time_losses = 0;        // moves not made in time, be it a forfeit or played in its place
  int lost_links = 0;         // how often its link was lost, from the start to the end

  friend bool operator==(const SeatTime& a, const SeatTime& b) {
    return a.given_back == b.given_back && a.time_losses == b.time_losses &&
           a.lost_links == b.lost_links;
  }
};

struct Verdict {
  Ending ending = Ending::kFinished;
  std::string reason;                 // the game's, or one sentence for people
  std::vector<int> scores;            // by seat; only with a result
  std::vector<int> ranks;             // by seat, as 1 2 2 4; only with a result
  std::vector<SeatForfeit> forfeits;  // in the order in which they happened
  dice::Seed seed;                    // revealed
  std::vector<SeatTime> times;        // by seat; none for a match that had not begun
  // Of a void match: the seat that was late when the referee had stood still for too long to judge
  // it. None when it is void for another reason.
  absl::optional<Seat> late;
};

// Whether the seat was taken out because it did not answer: TIMEOUT or DISCONNECTED.
bool WasSilent(const Verdict& verdict, Seat seat);

}  // namespace referee::match

#endif  // REFEREE_MATCH_VERDICT_H_
