// A match as a state machine without I/O: takes an event, returns effects. It owns the rules, the
// clocks, the dice and the verdict of one match; it reads no clock, draws no random number, sends
// nothing, writes nothing. Its caller (host/) appends the records among the effects to the log
// before it carries out the other effects. Thread-compatible.
//
//   Match match(setup, seed);
//   Run(match.Step(Begin{}, now, {now, wall}));
//   ...
//   Run(match.Step(Replied{Seat(0), 1, move}, arrival, {now, wall}));
//   wake_at(match.next_deadline());  // then Step(Tick{}, now, {now, wall})
//
// A match whose referee was killed goes on from its records:
//
//   Match match(setup, seed);
//   if (absl::Status s = match.Rebuild(records); !s.ok()) return s;
//   Run(match.Step(Resume{limit}, now, {now, wall}));
//
// A match of a block (matches of the same bots with the same dice) must not reveal a roll that is
// still to come in another: it records and tells a turn or forfeit that leads to a roll only after
// RollReleased, and its end only after BlockOver. An effect says what it waits for; the coordinator
// of the block (block.h) answers with the event.
//
// The nonces of committed dice come in two steps: each bot is ready with the hash of its nonce, and
// reveals the nonce (AskNonce) when the hashes of all are there. See dice/DICE.md. A bot may resign
// before the start: nobody waits for it, and a match that this decides starts and ends at once.
//
// Code: match.cc has events and turns; match_start.cc the start; match_faults.cc what faults cost,
// and ends; match_block.cc what a block withholds; match_rebuild.cc the way back from records;
// turn_clock.h the clock of one turn.
#ifndef REFEREE_MATCH_MATCH_H_
#define REFEREE_MATCH_MATCH_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/dice/dice.h"
#include "referee/games/game.h"
#include "referee/match/block.h"
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
};
struct LinkBack {
  Seat seat;
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

// A turn that a seat lost on time: it was taken out, or the referee played in its place.
struct LostTurn {
  uint32_t turn = 0;
  Instant deadline;      // the last instant at which a reply was in time
  absl::Duration limit;  // that the turn could take
};

class Match {
 public:
  enum class Stage {
    kNew,        // before Begin
    kReadying,   // waits for ReadyReceived of every seat
    kRevealing,  // waits for NonceReceived of every seat that has told a hash
    kStarting,   // of a block: the bots are ready; waits for the nonces, or for the first roll
    kPlaying,    // there is a position; of a block also from the end of its game to BlockOver
    kOver,
  };

  // REQUIRES: setup.commitment is that of `seed`; as many bots as the game has seats.
  Match(Setup setup, const dice::Seed& seed);

  // Brings a new match to where `records` left it: all that were written to the log, none of
  // them Ended. Step Resume next. Returns DataLoss that names the turn when they are not what this
  // setup and this seed lead to; then the match must not be used.
  absl::Status Rebuild(absl::Span<const Record> records);

  // Handles one event and returns what is to be done, in order. `when` is when the event happened
  // (for a reply: when it came out of the transport) and may be earlier than in steps before. The
  // effects are valid until the next Step. Once the match is over, no event has an effect but
  // TellFault. Allocates nothing in the steady state.
  absl::Span<const Effect> Step(const Event& event, Instant when, const Reading& reading);

  // Notes that the records among the effects of the last Step were written by `when`, and that what
  // it says goes to the links now: a turn that this step has made due is due from then on; where a
  // move may be tried again, the time until then is the referee's own.
  void Handing(Instant when);

  // When to step Tick at the latest; InfiniteFuture if nothing is waited for.
  Instant next_deadline() const { return next_deadline_; }

  Stage stage() const { return stage_; }
  const Setup& setup() const { return setup_; }
  int seats() const { return setup_.game->seats(); }

  // The position; without what is withheld. Before kPlaying it is the start, without dice.
  const games::State& state() const { return *state_; }
  // The legal moves of the turn that is due, sorted; none if none is.
  absl::Span<const games::Move> legal_moves() const { return legal_; }
  // The number of the turn that is due, from 1. Turns played are one fewer.
  uint32_t turn() const { return turn_; }
  // The number of the current request for that turn, from 0: how often forfeits have changed its
  // position. A reply to an earlier request is refused and costs nothing.
  uint32_t request() const;
  // The seat whose move is waited for; None if none is.
  Seat seat_to_move() const;
  absl::optional<Played> last_turn() const { return last_turn_; }
  // Left in the bank at the end of the seat's last turn; infinite without a bank.
  absl::Duration bank_left(Seat seat) const { return seats_[seat.index()].bank_left; }
  // How long the move that is due may take in all; zero if none is.
  absl::Duration move_limit() const;
  // What is left of move_limit() at `now`, at least zero; all of it while the clock does not run.
  absl::Duration time_left(Instant now) const;
  // When the seat to move will have used up its time; InfiniteFuture while no clock runs. A reply
  // that came out of the transport later is a time loss, unless the referee stood still meanwhile.
  Instant time_out() const { return clock_.TimeOut(clock_.given_back()); }
  // When the turn became due; meaningless when none is.
  Instant due() const { return clock_.due(); }
  // Since when the clock of the turn that is due has run without standing still, or will have if an
  // event that happened at `when` starts it; `when` if no turn is due.
  Instant ClockRunsFrom(Instant when) const {
    return asked_.valid() ? clock_.WentOnBy(when) : when;
  }
  // Of the records so far.
  const MatchTimes& times() const { return times_; }
  // Whether the bots are asked for nonces: unless the dice are pinned, or come from rotation 0.
  bool AsksNonces() const;
  // Whether the seat has done all that it is asked for before the start, and has not resigned.
  bool ready(Seat seat) const;
  const std::vector<Forfeited>& forfeits() const { return forfeits_; }
  // The last turn that the seat lost on time, for what is told of a late reply; none if it lost
  // none, or only before a restart of the referee.
  const absl::optional<LostTurn>& lost_turn(Seat seat) const {
    return seats_[seat.index()].lost_turn;
  }
  // Set once the match is over.
  const absl::optional<Ended>& ended() const { return ended_; }

  // The hashes of the nonces, by seat, in a block by seat in rotation 0, from kRevealing on;
  // nothing of a seat that told none. Empty before, and where there are no nonces.
  const std::vector<absl::optional<dice::NonceHash>>& nonce_hashes() const { return nonce_hashes_; }
  // For the coordinator of a block that goes on after a restart, as are the next two. The nonces of
  // the key, once the match has started.
  const absl::optional<std::vector<std::string>>& nonces() const { return nonces_; }
  // The key of the dice, from the start of the match on; a secret until the match is over, and
  // those of its block.
  const absl::optional<dice::Key>& key() const { return key_; }
  // Whether the first turn is due, or was.
  bool has_position() const { return key_ && state_->phase() != games::Phase::kChance; }
  // The position string of state(). REQUIRES: has_position().
  const std::string& position() const { return position_; }
  // The last roll that was shown, in the order of the block; kNoRoll if none certainly was.
  int64_t roll_shown() const { return shown_; }
  // The first roll, in that order, that a future decision of a bot may lead to; kNeverRolls if
  // there is none.
  int64_t roll_to_come() const;

 private:
  struct SeatState {
    bool asked_ready = false;  // by a start that was told and not answered
    bool said_ready = false;   // with a hash, where one is asked for
    bool revealed = false;     // its nonce
    bool resigned = false;
    std::string resigned_why;                       // the reason that it gave
    bool moved = false;                             // it has answered a turn, or was played for
    Instant link_lost = Instant::InfiniteFuture();  // when; InfiniteFuture while it is there
    uint32_t last_played = 0;                       // the number of its last turn
    int timeouts = 0;                               // forgiven
    int illegal_moves = 0;                          // forgiven
    absl::optional<dice::NonceHash> nonce_hash;
    std::string nonce;
    absl::Duration bank_left;
    absl::Duration grace_left;
    absl::Duration lag_left;
    absl::Duration stall_left;    // that may be given back
    bool stalls_charged = false;  // nothing is given back any more
    absl::Duration used;          // in all turns before

    absl::optional<LostTurn> lost_turn;  // the last

    bool linked() const { return link_lost == Instant::InfiniteFuture(); }
  };

  void On(const Begin& event);
  void On(const ReadyReceived& event);
  void On(const RequestOffered& event);
  void On(const NonceReceived& event);
  void On(const RequestSent& event);
  void On(const Replied& event);
  void On(const RepliedUnreadably& event);
  void On(const Tick& event);
  void On(const LinkLost& event);
  void On(const LinkBack& event);
  void On(const Resigned& event);
  void On(const Refused& event);
  void On(const Stopped& event);
  void On(const Resume& event);
  void On(const NoncesSettled& event);
  void On(const RollReleased& event);
  void On(const BlockOver& event);

  // Adds a record to the effects, as a Record inside an Effect.
  template <typename Kind>
  void Write(Kind record) {
    effects_.emplace_back(std::in_place_type<Record>, std::move(record));
    CountTime(std::get<Record>(effects_.back()), &times_);
  }

  // When the bots are told of this step, which may be later than what led to it.
  Instant TellingFrom() const { return std::max(when_, reading_.now); }

  // The start (match_start.cc).
  void TellStartTo(Seat seat);
  void AskNonces();
  // Whether the match waits for the seat to be ready, or to reveal its nonce.
  bool IsAwaited(const SeatState& seat) const;
  void ResignAtStart(Seat seat);
  // "resigned in turn 3: KeyError: 'x'"; `when` is "in turn 3".
  std::string ResignedText(Seat seat, absl::string_view when) const;
  // Goes on with the start if the match is decided, or waits for no seat any more.
  void GoOnStarting();
  void SettleDecided();
  // The time for readiness, or for nonces, is over, or nobody is waited for any more.
  void EndReadying();
  void EndRevealing();
  void AwaitNoncesOfBlock();
  // Both: as in Started.
  void Start(std::vector<std::string> nonces,
             std::vector<absl::optional<dice::NonceHash>> nonce_hashes);
  void StartAndGoOn(std::vector<std::string> nonces,
                    std::vector<absl::optional<dice::NonceHash>> nonce_hashes);
  std::vector<std::string> OwnNonces() const;
  std::vector<absl::optional<dice::NonceHash>> ToldHashes() const;
  void QueueAbsentSeats();
  std::string WhyAbsent(const SeatState& seat) const;
  void TellStartFault(Seat seat, TellFault::Kind kind, const absl::Status& problem);

  // Turns.
  // Plays on until a seat has to choose, and asks it, or the game is over, or something is
  // withheld.
  void GoOn();
  void Ask();
  // If nothing was heard of the request in time, its clock counts without it.
  void NoteHandoverMissed();
  void StopClock();
  // Plays the due turn. `timing` is none for a pass.
  void Play(games::Move move, absl::Duration used, const absl::optional<Timing>& timing,
            absl::optional<Cause> substituted);
  // Applies and records a decision, with the roll that it leads to.
  void Carry(Played played);
  void Carry(Forfeited forfeited);
  // Counts a turn that was played, here or in the log. Returns the bank then.
  absl::Duration Count(const Played& played);
  // Makes all draws that are due, except rolls that are not released. Follows each change of the
  // state, and notes the position then.
  void DrawChance();
  void WriteDraw(const games::Chance& chance, absl::Span<const int> outcome);

  // The block (match_block.cc).
  bool in_block() const { return setup_.block.has_value(); }
  // Whether the draw that `state` waits for is a roll that is not released.
  bool IsWithheld(const games::State& state) const;
  // Whether the position after `decided` comes with such a roll. If so, asks for its release, and
  // keeps `decided` until then.
  template <typename Decided>
  bool Withhold(const Decided& decided);
  void Await(const games::Chance& roll, Seat first);
  // Sets `ahead_` to the position after the decision, before its roll.
  void LookAhead(const Played& played) const;
  void LookAhead(const Forfeited& forfeited) const;

  // The clock of the turn that is due.
  bool IsDue(Seat seat, uint32_t turn) const { return seat == asked_ && turn == turn_; }
  // The first request of a turn that is handed over starts its clock, also if it was replaced
  // since.
  bool StartsClock(Seat seat, uint32_t turn, uint32_t number) const {
    return stage_ == Stage::kPlaying && IsDue(seat, turn) && number <= request_;
  }
  absl::Duration MatchTimeLeft() const { return setup_.time_control.match - used_; }
  absl::Duration FirstMoveAllowance(Seat seat) const;
  // Whether another seat's forfeit lengthens the turn of `mover` from then on.
  bool LengthensTurn(const Forfeited& forfeited, Seat mover) const {
    return forfeited.seat != mover && (forfeited.interrupts_turn || lengthened_);
  }
  // What the due turn, answered or judged now, is charged and where its time went.
  absl::Duration Used() const { return clock_.Used(when_); }
  Timing TimingNow() const { return clock_.TimingAt(when_, reading_.now, written_); }
  Instant NextDeadline() const;

  // Replies.
  bool TakesReply(Seat seat, uint32_t turn, uint32_t number, Instant written);
  absl::string_view WhatCameOfLosing(Seat seat) const;
  absl::Status WhyNotTaken(Seat seat, uint32_t turn, uint32_t number) const;

  // Faults of the seat that is to move (match_faults.cc).
  void PlayIllegal(std::string detail);
  void Retry(std::string detail);
  void Substitute(Cause cause, const FaultPolicy& policy);
  void LoseOnTime();
  void EndWithoutContest();
  void EndMatchTime();
  void ForfeitSlowest();
  // Of those left, the one that has used most time; of equals `mover`, then the lower one.
  Seat SlowestSeat(Seat mover) const;

  // Ends.
  void ForfeitAndGoOn(Seat seat, Cause cause, std::string detail);
  // Takes out the next seat of those that are due to go. Returns false if none is.
  bool ForfeitNext();
  void Forfeit(Seat seat, Cause cause, std::string detail);
  void Finish();
  void EndWithResult();
  void End(Ended ended);
  void EndWithout(Ending ending, std::string reason, std::string cancelled_by = "");

  // Rebuilding from records (match_rebuild.cc).
  void RedoFirstRoll();
  absl::Status Redo(const Started& started);
  absl::Status Redo(const Drawn& drawn);
  absl::Status Redo(const Played& played);
  absl::Status Redo(const Faulted& faulted);
  absl::Status Redo(const Forfeited& forfeited);
  absl::Status Redo(const NoContest& no_contest);
  absl::Status Redo(const Resumed& resumed);
  absl::Status Redo(const Ended& ended);
  absl::Status CheckDigest(uint64_t digest);
  bool frozen() const { return resume_deadline_ < Instant::InfiniteFuture(); }
  bool EveryPlayerLinked() const;
  bool NobodyLinked() const;
  void Thaw();

  // A seat that is to be taken out as soon as there is a position; without `detail`: it resigned.
  struct DueForfeit {
    Seat seat;
    Cause cause;
    std::string detail;
  };

  const Setup setup_;
  const dice::Seed seed_;
  Stage stage_ = Stage::kNew;
  std::unique_ptr<games::State> state_;
  absl::optional<dice::Key> key_;
  std::vector<SeatState> seats_;
  Instant ready_deadline_;  // of the stage: for readiness, or for nonces
  bool decided_ = false;    // before the start: at most one seat has not resigned
  Instant resume_deadline_ = Instant::InfiniteFuture();  // InfiniteFuture: not frozen
  absl::Duration resume_limit_;
  uint32_t turn_ = 1;
  std::vector<games::Move> legal_;
  Seat asked_;            // whose request is pending; or None
  uint32_t request_ = 0;  // that one
  TurnClock clock_;
  bool lengthened_ = false;                      // the due turn, by another seat's forfeit
  int tries_ = 0;                                // illegal moves in the due turn
  bool handing_ = false;                         // the due turn was asked in the last step
  bool retrying_ = false;                        // it may be tried again since the last step
  Instant written_ = Instant::InfiniteFuture();  // the request that the reply at hand answers
  absl::Duration used_;                          // by all seats, in all turns before
  absl::optional<Played> last_turn_;
  std::vector<Forfeited> forfeits_;
  MatchTimes times_;                      // so far
  std::vector<DueForfeit> due_forfeits_;  // the next one last
  Seat at_cap_;  // who was to move when the match's time was used up: all forfeit
  absl::optional<Ended> ended_;
  absl::optional<std::vector<std::string>> nonces_;  // of the key
  std::vector<absl::optional<dice::NonceHash>> nonce_hashes_;
  std::vector<Record> missing_;  // of a log that ends in the middle of the start
  bool contested_ = false;       // the log ends with NoContest
  Instant next_deadline_ = Instant::InfiniteFuture();

  // Of a block.
  bool awaits_nonces_ = false;
  int64_t awaited_ = kNoRoll;   // the roll that is waited for
  int64_t released_ = kNoRoll;  // the last roll that may be shown
  int64_t shown_ = kNoRoll;
  absl::optional<std::variant<Played, Forfeited>> withheld_;  // until the roll is released
  bool awaits_end_ = false;
  std::unique_ptr<games::State> ahead_;  // reused

  std::vector<Effect> effects_;
  std::string position_;  // of state_; empty before the first, and while a roll is withheld
  Instant when_;          // of the step under way
  Reading reading_;       // of the step under way
};

}  // namespace referee::match

#endif  // REFEREE_MATCH_MATCH_H_
