// The records of a match, as plain values: all that happens in it, as the log holds it, a
// verifier checks it, and bots and observers are told it. Format in files: replay/FORMAT.md.
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

// Where the dice come from: pinned if one field is set, committed if neither is, the default. At
// most one is set.
struct DiceSource {
  absl::optional<uint64_t> pinned_number;
  absl::optional<dice::Seed> pinned_seed;
  bool pinned() const { return pinned_number.has_value() || pinned_seed.has_value(); }
};

// Which match of a block this is; all have the same dice. In rotation r, seat s is taken by the bot
// that has seat (s + r) mod n in rotation 0.
struct BlockPlace {
  BlockId block;
  int rotation = 0;  // 0 to n - 1, of n seats

  friend bool operator==(const BlockPlace& a, const BlockPlace& b) {
    return a.block == b.block && a.rotation == b.rotation;
  }
};

// What is settled before a match.
struct Setup {
  MatchId id;
  absl::Time create_time;
  std::shared_ptr<const games::Game> game;
  std::vector<std::string> bots;  // names, by seat
  TimeControl time_control;
  Policies policies;
  DiceSource dice_source;
  dice::Commitment commitment{};
  std::string referee;     // software and version
  std::string request_id;  // of the call that made the match; may be empty
  absl::optional<BlockPlace> block;
};

// Up to two dice, 1 to 6 each, as rolled.
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

// All bots are ready, or the time for that is over; the key of the dice is settled.
struct Started {
  absl::Time time;
  // By seat, in a block by seat in rotation 0; none in a pinned match. Empty of a seat that did not
  // reveal its nonce.
  std::vector<std::string> nonces;
  // The hashes of the nonces, which every bot received before any revealed its own; as many, in the
  // same order. Not set for a seat that sent none.
  std::vector<absl::optional<dice::NonceHash>> nonce_hashes;
};

// A draw before the first turn.
struct Drawn {
  games::Chance::Kind kind = games::Chance::Kind::kSetupRoll;
  int round = 0;  // of a setup roll
  Seat seat;      // who rolled; of kFirstPlayer, who won
  Roll roll;      // empty for kFirstPlayer
};

// Where the time of a turn went. Instants are given as time since the turn became due: what led to
// it was written, and its request offered to the seat's link. Charged is
// max(0, read - started - paused - stalled - credit).
struct Timing {
  // The clock started: the request was handed to the transport; zero if the link did not take it
  // within limits::kHandoverLimit.
  absl::Duration started;
  // The transport had taken the request; infinite if that was not known in time.
  absl::Duration written = absl::InfiniteDuration();
  absl::Duration read;        // the reply came out of the transport; without one: it was judged
  absl::Duration taken;       // the match handled it
  absl::Duration round_trip;  // of the link, a smoothed minimum; zero: not known
  absl::Duration paused;      // the clock stood still, the link being lost
  absl::Duration credit;      // network time that was not charged
  absl::Duration stalled;     // the referee itself stood still, which was given back
  bool link_lost = false;     // at some time while the clock ran
  // The bot had sent what was refused: nothing is given back to its seat any more.
  bool stalls_charged = false;

  // The referee's own delay, from the arrival of the reply out of the transport until the match
  // handled it.
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
  uint64_t digest = 0;       // of the position after the turn, with the next dice rolled in
  absl::Duration used;       // charged; zero for a pass
  absl::Duration bank_left;  // after the turn, increment added; infinite without a bank
  // None for a pass.
  absl::optional<Timing> timing;
  // Set when the referee played in the bot's place: kTimeout or kIllegal.
  absl::optional<Cause> substituted;
};

// A fault that did not take the seat out. kIllegal: the bot may try again, or the referee plays in
// its place next. kTimeout: the time of all seats together is used up, and `seat` was to move.
struct Faulted {
  Seat seat;
  Cause cause = Cause::kIllegal;
  uint32_t number = 0;                 // of the turn
  absl::Duration used;                 // on the seat's clock by then
  std::string detail;                  // one sentence for people
  absl::optional<Timing> timing = {};  // of kTimeout
};

// A seat was taken out.
struct Forfeited {
  Seat seat;
  Cause cause = Cause::kTimeout;
  uint32_t number = 0;  // of the turn that was due; not used up
  uint64_t digest = 0;  // of the position after
  absl::Duration used;  // on the seat's clock in that turn; zero if it was not to move
  std::string detail;   // one sentence for people, with the figures that decided it
  // None if the seat was not to move.
  absl::optional<Timing> timing;
  // Another seat had been asked for its move in the turn that was due. That turn goes on, and may
  // take TimeControl::per_move more, once.
  bool interrupts_turn = false;
};

// What a verdict says of it.
SeatForfeit SeatForfeitOf(const Forfeited& forfeited);

// A seat's clock ran out, but the referee stood still while it ran for longer than what is given
// back, and for so long that this may be why. The match is void: an Ended follows.
struct NoContest {
  Seat seat;
  uint32_t number = 0;  // of the turn
  absl::Duration used;
  absl::Duration limit;
  absl::Duration stall;  // the longest while the clock ran; used + timing.stalled - limit, or more
  Timing timing;
};

// The referee was started again while the match was running. The turn that was due is asked anew,
// with its whole time.
struct Resumed {
  absl::Time time;
};

// The match is over, with its verdict. The forfeits and times in it follow from the records before,
// and its nonces and their hashes are those of Started; a file does not store them twice, and its
// reader restores them.
struct Ended : Verdict {
  absl::Time time;
};

// Started is preceded by the Setup and the secret seed, which the log has first.
using Record = std::variant<Started, Drawn, Played, Faulted, Forfeited, NoContest, Resumed, Ended>;

// Adds what the record says of the seats' time. REQUIRES: an entry for each seat.
void CountTime(const Record& record, MatchTimes* times);

}  // namespace referee::match

#endif  // REFEREE_MATCH_RECORD_H_
