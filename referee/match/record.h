// The records of a match: everything that happens in it, as plain values.
//
// The log stores them, a verifier checks them, and bots and observers receive them.
// replay/FORMAT.md has their format in files.
#ifndef REFEREE_MATCH_RECORD_H_
#define REFEREE_MATCH_RECORD_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/ids.h"
#include "referee/dice/dice.h"
#include "referee/games/game.h"
#include "referee/match/policies.h"
#include "referee/match/time_control.h"
#include "referee/match/verdict.h"

namespace referee::match {

// The source of the dice: pinned if a field is set, otherwise committed. At most one is set.
struct DiceSource {
  absl::optional<uint64_t> pinned_number;
  absl::optional<dice::Seed> pinned_seed;
  bool pinned() const { return pinned_number.has_value() || pinned_seed.has_value(); }
};

// The place of a match in its block; all matches of a block have the same dice. In rotation r, seat
// s is taken by the bot that has seat (s + r) mod n in rotation 0.
struct BlockPlace {
  BlockId block;
  int rotation = 0;  // 0 to n - 1, of n seats

  friend bool operator==(const BlockPlace& a, const BlockPlace& b) {
    return a.block == b.block && a.rotation == b.rotation;
  }
};

// What is settled before a match, and does not change.
struct Setup {
  MatchId id;
  absl::Time create_time;
  std::shared_ptr<const games::Game> game;
  std::vector<std::string> bots;  // names, by seat
  TimeControl time_control;
  Policies policies;
  DiceSource dice_source;
  dice::Commitment commitment{};
  std::string referee;     // name and version of the software
  std::string request_id;  // of the call that created the match; may be empty
  absl::optional<BlockPlace> block;
};

// A roll of up to two dice, 1 to 6 each, in the order rolled.
class Roll {
 public:
  Roll() = default;
  explicit Roll(absl::Span<const int> dice) {
    for (int die : dice) dice_[size_++] = static_cast<int8_t>(die);
  }
  int size() const { return size_; }
  int operator[](int i) const { return dice_[i]; }
  friend bool operator==(const Roll& a, const Roll& b) {
    return a.size_ == b.size_ && a.dice_ == b.dice_;
  }

 private:
  std::array<int8_t, games::kMaxChanceCount> dice_{};
  int8_t size_ = 0;
};

// The match has started: bots are ready or late, and the key of the dice is settled.
struct Started {
  absl::Time time;
  // By seat, in a block by seat in rotation 0. Empty if the dice are pinned. An entry is empty if
  // that seat did not reveal its nonce.
  std::vector<std::string> nonces;
  // The hashes of the nonces, which every bot received before any bot revealed its nonce. Same size
  // and order as `nonces`. An entry is not set if that seat sent no hash.
  std::vector<absl::optional<dice::NonceHash>> nonce_hashes;
};

// A draw before the first turn.
struct Drawn {
  games::Chance::Kind kind = games::Chance::Kind::kSetupRoll;
  int round = 0;  // only for a setup roll
  Seat seat;      // the seat that rolled; for kFirstPlayer, the seat that won
  Roll roll;      // empty for kFirstPlayer
};

// Where the time of a turn went. Instants are durations since the turn became due. A turn is due
// when its cause has been written and its request is offered to the link. The charge is
// max(0, read - started - paused - stalled - credit).
struct Timing {
  // When the clock started: the request was handed to the transport. Zero if the link did not take
  // the request within limits::kHandoverLimit.
  absl::Duration started;
  // When the transport had written the request; infinite if not known in time.
  absl::Duration written = absl::InfiniteDuration();
  absl::Duration read;        // when the reply came out of the transport, or silence was judged
  absl::Duration taken;       // when the match handled the reply
  absl::Duration round_trip;  // of the link, a smoothed minimum; zero: not known
  absl::Duration paused;      // how long the clock stood still because the link was lost
  absl::Duration credit;      // network time that was not charged
  absl::Duration stalled;     // the referee's own stalls that were given back
  bool link_lost = false;     // the link was lost at some time while the clock ran
  // The bot had sent something that was refused, so no stalls are given back to its seat.
  bool stalls_charged = false;

  // The referee's own delay between the arrival of the reply and its handling.
  absl::Duration own_delay() const { return taken - read; }

  friend bool operator==(const Timing& a, const Timing& b) {
    return a.started == b.started && a.written == b.written && a.read == b.read &&
           a.taken == b.taken && a.round_trip == b.round_trip && a.paused == b.paused &&
           a.credit == b.credit && a.stalled == b.stalled && a.link_lost == b.link_lost &&
           a.stalls_charged == b.stalls_charged;
  }
};

// A turn that was played.
struct Played {
  uint32_t number = 0;  // from 1
  Seat seat;
  Roll roll;
  games::Move move;
  uint32_t legal_count = 0;
  uint64_t digest = 0;       // of the position after the turn, with the next dice rolled
  absl::Duration used;       // charged; zero for a pass
  absl::Duration bank_left;  // after the turn and its increment; infinite without a bank
  // Not set for a pass.
  absl::optional<Timing> timing;
  // Set if the referee played in the bot's place: kTimeout or kIllegal.
  absl::optional<Cause> substituted;
};

// A fault that did not take the seat out. kIllegal: the bot may try again, or the referee plays in
// its place next. kTimeout: the match time of all seats is used up while `seat` is to move.
struct Faulted {
  Seat seat;
  Cause cause = Cause::kIllegal;
  uint32_t number = 0;                 // of the turn
  absl::Duration used;                 // on the seat's clock so far
  std::string detail;                  // one sentence for people
  absl::optional<Timing> timing = {};  // only for kTimeout
};

// A seat was taken out of the match.
struct Forfeited {
  Seat seat;
  Cause cause = Cause::kTimeout;
  uint32_t number = 0;  // of the turn that was due; the forfeit does not use up the number
  uint64_t digest = 0;  // of the position after the forfeit
  absl::Duration used;  // on the seat's clock in that turn; zero if the seat was not to move
  std::string detail;   // one sentence for people, with the figures that decided
  // Not set if the seat was not to move.
  absl::optional<Timing> timing;
  // Another seat had already been asked for its move. Its turn goes on, and may take
  // TimeControl::per_move more, once.
  bool interrupts_turn = false;
};

// Returns the entry of the verdict for a forfeit.
SeatForfeit SeatForfeitOf(const Forfeited& forfeited);

// A seat's clock ran out, but a stall of the referee may be the cause: one stall was longer than
// what can be given back. The match is void; an Ended follows.
struct NoContest {
  Seat seat;
  uint32_t number = 0;  // of the turn
  absl::Duration used;
  absl::Duration limit;
  absl::Duration stall;  // the longest while the clock ran; at least used + timing.stalled - limit
  Timing timing;
};

// The referee was restarted during the match. The turn that was due is asked anew, with its whole
// time.
struct Resumed {
  absl::Time time;
};

// The match is over, with its verdict. Its forfeits and times follow from earlier records, and its
// nonces and hashes are those of Started. A file does not store them twice; its reader restores
// them.
struct Ended : Verdict {
  absl::Time time;
};

// One record of a match. The log starts with the Setup and the secret seed, which are no records.
using Record = std::variant<Started, Drawn, Played, Faulted, Forfeited, NoContest, Resumed, Ended>;

// Adds the times of a record to the seats. REQUIRES: times->seats has an entry for each seat.
void CountTime(const Record& record, MatchTimes* times);

}  // namespace referee::match

#endif  // REFEREE_MATCH_RECORD_H_
