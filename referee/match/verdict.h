// The verdict of a match: how it ended, and the score and rank of each seat.
//
// The match, its host, its replay and competitions all pass results in this form. Plain values.
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
  kFinished,   // by the rules of the game: there is a result
  kVoid,       // no result, and no bot is at fault
  kCancelled,  // no result: cancelled on request, or because no bot got ready
};

// A seat that was taken out of its match, and why.
struct SeatForfeit {
  Seat seat;
  Cause cause = Cause::kTimeout;
  // Only for kResigned: no seat had been asked for a move yet.
  bool unasked = false;

  friend bool operator==(const SeatForfeit& a, const SeatForfeit& b) {
    return a.seat == b.seat && a.cause == b.cause && a.unasked == b.unasked;
  }
};

// A summary of one seat's time, from the records of the match.
struct SeatTime {
  absl::Duration given_back;  // the referee's own stalls that were not charged
  // How often the seat's time ran out while its link was there, forgiven or not. A forgiven loss
  // does not count if the link was lost at any time in that turn.
  int time_losses = 0;
  // Turns in which the link was lost while the seat's clock ran. Also counts a forfeit as
  // DISCONNECTED before the seat's clock ran.
  int lost_links = 0;

  friend bool operator==(const SeatTime& a, const SeatTime& b) {
    return a.given_back == b.given_back && a.time_losses == b.time_losses &&
           a.lost_links == b.lost_links;
  }
};

// The times of all seats.
struct MatchTimes {
  std::vector<SeatTime> seats;  // by seat
  // The seat whose late reply made the match void (NoContest); None if there is none.
  Seat late;
};

struct Verdict {
  Ending ending = Ending::kFinished;
  std::string reason;                 // from the game, or one sentence for people
  std::vector<int> scores;            // by seat; only with a result
  std::vector<int> ranks;             // by seat, as 1 2 2 4; only with a result
  std::vector<SeatForfeit> forfeits;  // in the order in which they happened
  dice::Seed seed;                    // secret until the verdict
  MatchTimes times;                   // follows from the earlier records
  // The nonces of the key, and their hashes, as in Started; revealed with the seed. Empty if the
  // match did not start or its dice are pinned.
  std::vector<std::string> nonces;
  std::vector<absl::optional<dice::NonceHash>> nonce_hashes;
  // Who cancelled the match: the name of an account, or "local" for a user on the referee's
  // machine. Empty if the match was not cancelled, or the referee cancelled it.
  std::string cancelled_by = {};
};

// Returns whether the seat was taken out because it did not answer (TIMEOUT or DISCONNECTED). Also
// true if it resigned before any seat was asked for a move, as bots do that cannot play.
bool WasSilent(const Verdict& verdict, Seat seat);

}  // namespace referee::match

#endif  // REFEREE_MATCH_VERDICT_H_
