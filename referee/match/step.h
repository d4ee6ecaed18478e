// A step of a match: the events that it takes, the effects that it gives, and the step under way.
// Plain values.
#ifndef REFEREE_MATCH_STEP_H_
#define REFEREE_MATCH_STEP_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/dice/dice.h"
#include "referee/games/game.h"
#include "referee/match/record.h"
#include "referee/match/turn_clock.h"

namespace referee::match {

// --- Events ---

// The bots are seated. The first event, once.
struct Begin {};
// A bot is ready, with the hash of its nonce for the dice; see AsksNonces.
struct ReadyReceived {
  Seat seat;
  absl::optional<dice::NonceHash> nonce_hash;
};
// A bot reveals its nonce (at most 32 bytes; the caller has checked).
struct NonceReceived {
  Seat seat;
  std::string nonce;
};
// A request was offered to its link, which has not sent what went before: the turn is due.
struct RequestOffered {
  Seat seat;
  uint32_t turn = 0;
  uint32_t request = 0;  // as in Match::request
};
// A request for the turn was handed to the transport: the clock of the seat starts, if it is the
// one that is due.
struct RequestSent {
  Seat seat;
  uint32_t turn = 0;
  absl::Duration round_trip = absl::ZeroDuration();  // of the link lately; zero: not known
  uint32_t request = 0;                              // as in Match::request
  // When it was offered to the link; InfiniteFuture: no earlier.
  Instant offered = Instant::InfiniteFuture();
};
// A bot has answered a turn with a move that could be read.
struct Replied {
  Seat seat;
  uint32_t turn = 0;
  games::Move claimed;  // for State::Resolve
  // When the transport had taken the request; InfiniteFuture: not known.
  Instant written = Instant::InfiniteFuture();
  uint32_t request = 0;  // that it answers, as in Match::request
};
// A bot has answered a turn with something that could not be read; `problem` says why.
struct RepliedUnreadably {
  Seat seat;
  uint32_t turn = 0;
  absl::Status problem;
  Instant written = Instant::InfiniteFuture();  // as in Replied
  uint32_t request = 0;                         // as in Replied
};
// next_deadline() may have passed.
struct Tick {};
struct LinkLost {
  Seat seat;
  // The bot may be there: the referee that had its stream is gone, and was heard last when this
  // happened. The clock of the seat stands still without grace.
  bool of_entry = false;
};
struct LinkBack {
  Seat seat;
  // When the link was lost, if of_entry, whether that was stepped or not; InfiniteFuture: else.
  Instant entry_gone = Instant::InfiniteFuture();
};
struct Resigned {
  Seat seat;
  // Why: plain text of a line (the caller has checked), for the forfeit's detail. May be empty.
  std::string reason = {};
};
// Something that the bot in this seat sent was refused: too much, too large, or no message at all.
// What the referee stands still is charged to the seat from now on.
struct Refused {
  Seat seat;
};
// Ends the match: without a result, unless its game is over and it only awaits the end of its
// block; what was decided stays decided. `ending` is kVoid or kCancelled.
struct Stopped {
  Ending ending = Ending::kCancelled;
  std::string reason;
  std::string by = {};  // as Verdict::cancelled_by
};

// The first event of a match that was rebuilt. No seat has a link at first, and no clock runs until
// all seats have one or `limit` has passed. Then the seat to move is asked; if no seat is linked,
// the match is void.
struct Resume {
  absl::Duration limit;
};

// Events of a match of a block, in answer to AwaitNonces, AwaitRoll and AwaitBlock.
struct NoncesSettled {
  // By seat in rotation 0, as in Started. Rotation 0 takes its own.
  std::vector<std::string> nonces;
  std::vector<absl::optional<dice::NonceHash>> nonce_hashes;
};
struct RollReleased {
  int64_t index = 0;  // as in AwaitRoll
};
struct BlockOver {};

using Event = std::variant<Begin, ReadyReceived, NonceReceived, RequestOffered, RequestSent,
                           Replied, RepliedUnreadably, Tick, LinkLost, LinkBack, Resigned, Refused,
                           Stopped, Resume, NoncesSettled, RollReleased, BlockOver>;

// What the clocks show when Step handles an event.
struct Reading {
  Instant now;
  absl::Time wall;
  // How the referee itself stood still between Match::ClockRunsFrom of the event's instant and that
  // instant.
  Stalls stalls = {};
};

// --- Effects: records (record.h), to be written first and then told, and these ---

// Tell `seat` that the match begins (MatchStart), with the position if it has begun: the stage is
// kPlaying then. While it is kReadying the bot is to answer ReadyReceived, each time it is told.
struct TellStart {
  Seat seat;
};
// Tell `seat` the hashes of all nonces, nonce_hashes(), and ask it to reveal its own nonce
// (NonceReceived). Repeated when the seat's link is back before it has.
struct AskNonce {
  Seat seat;
};
// Ask `seat` for its move in the turn that is due, with the number request(), and step RequestSent
// when that is done. Repeated with the same number when the seat's link is back; its clock runs on.
// Repeated with the next number when another seat's forfeit has changed the position: the new
// request replaces the old one, the clock runs on, and the turn may take TimeControl::per_move
// more, once. A seat whose link is lost is asked too, and its clock runs from the start.
struct AskTurn {
  Seat seat;
};
// Tell `seat` that something it said was refused.
struct TellFault {
  // kIllegalMove: the turn is still due, and the bot may try again while its clock runs.
  // kReplacedRequest: the request that it answered was replaced. It costs neither a try nor a
  // strike. kWrongNonce: the hash that was due is missing, or the nonce does not fit it; the bot
  // may answer again in time.
  enum class Kind {
    kWrongTurn,
    kUnexpectedReady,
    kIllegalMove,
    kReplacedRequest,
    kUnexpectedNonce,
    kWrongNonce,
  };
  Seat seat;
  Kind kind = Kind::kWrongTurn;
  uint32_t turn = 0;  // that the bot named; 0 of what is about readiness or a nonce
  std::string message;
};

// Effects of a match of a block: it waits for the other matches. No clock runs meanwhile.
//
// Wants NoncesSettled: its bots are ready, and the nonces are those of rotation 0; or it is
// decided, since at most one of its seats has not resigned. Rotation 0 wants it only when it is
// decided, and then to start without nonces once all matches of the block are. Repeated when a
// match is decided.
struct AwaitNonces {
  bool decided = false;
};
// Wants RollReleased: its next roll has this index in the order of the block (block.h).
struct AwaitRoll {
  int64_t index = 0;
};
// Wants BlockOver: its game is over.
struct AwaitBlock {};

using Effect = std::variant<TellStart, AskNonce, AskTurn, TellFault, Record, AwaitNonces, AwaitRoll,
                            AwaitBlock>;

// A visitor of events or effects, made of lambdas.
template <typename... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <typename... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

// A turn that a seat lost on time: it was taken out, or the referee played in its place.
struct LostTurn {
  uint32_t turn = 0;
  Instant deadline;      // the last instant at which a reply was in time
  absl::Duration limit;  // that the turn could take
};

enum class Stage {
  kNew,        // before Begin
  kReadying,   // waits for ReadyReceived of every seat
  kRevealing,  // waits for NonceReceived of every seat that has told a hash
  kStarting,   // of a block: the bots are ready; waits for the nonces, or for the first roll
  kPlaying,    // there is a position; of a block also from the end of its game to BlockOver
  kOver,
};

// The step under way: when its event happened, what the clocks show, and its effects so far.
struct CurrentStep {
  Instant when;
  Reading reading;
  std::vector<Effect> effects;
  MatchTimes times;       // of all records so far
  bool asked = false;     // the due turn was asked
  bool retrying = false;  // the due turn may be tried again

  // When the bots hear of this step, which may be later than what led to it.
  Instant told_at() const { return std::max(when, reading.now); }

  // Adds a record to the effects, as a Record inside an Effect.
  template <typename Kind>
  void Write(Kind record) {
    effects.emplace_back(std::in_place_type<Record>, std::move(record));
    CountTime(std::get<Record>(effects.back()), &times);
  }
};

}  // namespace referee::match

#endif  // REFEREE_MATCH_STEP_H_
