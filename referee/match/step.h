// The events that a match handles, the effects that it returns, and the step under way.
//
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

// All bots are seated. The first event of a new match, once.
struct Begin {};
// A bot is ready. Has the hash of its nonce if the match asks for nonces (Match::AsksNonces).
struct ReadyReceived {
  Seat seat;
  absl::optional<dice::NonceHash> nonce_hash;
};
// A bot reveals its nonce: at most 32 bytes, which the caller has checked.
struct NonceReceived {
  Seat seat;
  std::string nonce;
};
// A request was offered to its link, which has not sent earlier messages yet. The turn is due.
struct RequestOffered {
  Seat seat;
  uint32_t turn = 0;
  uint32_t request = 0;  // as in Match::request
};
// A request was handed to the transport. Starts the clock of the seat if this turn is due.
struct RequestSent {
  Seat seat;
  uint32_t turn = 0;
  absl::Duration round_trip = absl::ZeroDuration();  // of the link, recently; zero: not known
  uint32_t request = 0;                              // as in Match::request
  // When the request was offered to the link; InfiniteFuture: at the handover.
  Instant offered = Instant::InfiniteFuture();
};
// A bot has answered a turn with a move that could be parsed.
struct Replied {
  Seat seat;
  uint32_t turn = 0;
  games::Move claimed;  // for State::Resolve
  // When the transport had written the request; InfiniteFuture: not known.
  Instant written = Instant::InfiniteFuture();
  uint32_t request = 0;  // the request that the bot answers, as in Match::request
};
// A bot has answered a turn with something that could not be parsed; `problem` says why.
struct RepliedUnreadably {
  Seat seat;
  uint32_t turn = 0;
  absl::Status problem;
  Instant written = Instant::InfiniteFuture();  // as in Replied
  uint32_t request = 0;                         // as in Replied
};
// Time has passed; next_deadline() may have, too.
struct Tick {};
struct LinkLost {
  Seat seat;
  // The seat's entry was lost, not the bot. The event happened when this referee last heard from
  // the entry. The clock of the seat stands still without using up its grace.
  bool of_entry = false;
};
struct LinkBack {
  Seat seat;
  // When the entry of the seat was lost, also if no LinkLost reported that. InfiniteFuture: it was
  // not lost.
  Instant entry_gone = Instant::InfiniteFuture();
};
struct Resigned {
  Seat seat;
  // One line of plain text (the caller has checked), for the forfeit's detail. May be empty.
  std::string reason = {};
};
// Something that the bot sent was refused as too much, too large or no valid message. From now on
// the seat is charged for the referee's stalls.
struct Refused {
  Seat seat;
};
// Ends the match without a result. A match whose game is over, and which only waits for the end of
// its block, ends with its result instead. `ending` is kVoid or kCancelled.
struct Stopped {
  Ending ending = Ending::kCancelled;
  std::string reason;
  std::string by = {};  // as Verdict::cancelled_by
};

// The first event of a match that was rebuilt. At first no seat has a link. No clock runs until all
// seats have one or `limit` has passed. Then the seat to move is asked. If no seat has a link then,
// the match is void.
struct Resume {
  absl::Duration limit;
};

// Events of a match of a block, which answer AwaitNonces, AwaitRoll and AwaitBlock.
struct NoncesSettled {
  // By seat in rotation 0, as in Started. Rotation 0 ignores them and uses its own.
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

// The readings of the clocks when Step handles an event.
struct Reading {
  Instant now;
  absl::Time wall;
  // The stalls of the referee from Match::ClockRunsFrom(when) until `when`, the event's instant.
  Stalls stalls = {};
};

// --- Effects: these, and records (record.h), which the caller writes before it sends anything ---

// Send MatchStart to `seat`, with the position if the stage is kPlaying. While it is kReadying, the
// bot answers each MatchStart with ReadyReceived.
struct TellStart {
  Seat seat;
};
// Send `seat` the hashes of all nonces, nonce_hashes(), and ask it to reveal its own nonce
// (NonceReceived). Repeated if the seat gets a new link before it has.
struct AskNonce {
  Seat seat;
};
// Ask `seat` for its move in the due turn, with the number request(), and step RequestSent once the
// request is handed over. Repeated with the same number if the seat gets a new link; its clock runs
// on. Repeated with the next number if another seat's forfeit has changed the position. That
// request replaces the old one, the clock runs on, and the turn may take TimeControl::per_move
// more, once. A seat without a link is asked too, and its clock runs from the start.
struct AskTurn {
  Seat seat;
};
// Tell `seat` that one of its messages was refused.
struct TellFault {
  // kIllegalMove: the turn is still due, and the bot may try again while its clock runs.
  // kReplacedRequest: the bot answered a request that was replaced; costs neither a try nor a
  // strike. kWrongNonce: the required hash is missing, or the nonce does not match the hash; the
  // bot may answer again in time.
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
  uint32_t turn = 0;  // the turn that the bot named; 0 if the fault concerns readiness or a nonce
  std::string message;
};

// Effects of a match of a block that waits for other matches. No clock runs meanwhile.
//
// Waits for NoncesSettled, for one of two reasons. Its bots are ready, and it needs the nonces of
// rotation 0. Or it is decided: at most one of its seats has not resigned. Rotation 0 waits only if
// it is decided, to start without nonces once all matches of the block are decided. Repeated when
// the match becomes decided.
struct AwaitNonces {
  bool decided = false;
};
// Waits for RollReleased: its next roll has this index in the order of the block (block.h).
struct AwaitRoll {
  int64_t index = 0;
};
// Waits for BlockOver: its game is over.
struct AwaitBlock {};

using Effect = std::variant<TellStart, AskNonce, AskTurn, TellFault, Record, AwaitNonces, AwaitRoll,
                            AwaitBlock>;

// A visitor of events or effects, built from lambdas.
template <typename... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <typename... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

// A turn that a seat lost on time: it was taken out, or the referee played in its place.
struct LostTurn {
  uint32_t turn = 0;
  Instant deadline;      // a reply at this instant was still in time
  absl::Duration limit;  // the longest that the turn could take
};

enum class Stage {
  kNew,        // before Begin
  kReadying,   // waits for ReadyReceived of every seat
  kRevealing,  // waits for NonceReceived of every seat that sent a hash
  kStarting,   // only in a block: the bots are ready; waits for the nonces or for the first roll
  kPlaying,    // there is a position; in a block also from the end of the game to BlockOver
  kOver,
};

// The step under way: its instant, the readings of the clocks, and its effects so far.
struct CurrentStep {
  Instant when;
  Reading reading;
  std::vector<Effect> effects;
  MatchTimes times;       // of all records so far
  bool asked = false;     // this step made a turn due
  bool retrying = false;  // this step lets the bot try the due turn again

  // When the bots receive this step's messages, which may be later than the event.
  Instant told_at() const { return std::max(when, reading.now); }

  // Adds a record to the effects, and counts its times.
  template <typename Kind>
  void Write(Kind record) {
    effects.emplace_back(std::in_place_type<Record>, std::move(record));
    CountTime(std::get<Record>(effects.back()), &times);
  }
};

}  // namespace referee::match

#endif  // REFEREE_MATCH_STEP_H_
