#include "referee/match/match.h"

#include <algorithm>
#include <cassert>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/match/errors.h"

namespace referee::match {
namespace {

// The turn that is due, for the text of a fault.
std::string DueTurn(uint32_t due, Seat mover) {
  if (!mover.valid()) return "no move is waited for now";
  return absl::StrCat("due is turn ", due, ", of seat ", std::string(1, mover.letter()));
}

absl::Status MoveRepeated(uint32_t turn, uint32_t due, Seat mover) {
  return absl::FailedPreconditionError(absl::StrCat(
      "turn ", turn, ": the move is a repeated one, the first of this turn has been played; ",
      DueTurn(due, mover)));
}

// Room made in advance, so that most matches never allocate in a step: for an ordinary turn with a
// few passes in a row, its legal moves and its position.
constexpr size_t kUsualEffects = 16;
constexpr size_t kUsualMoves = 128;
constexpr size_t kUsualPositionBytes = 256;

// The clock of the machine does not tell times apart that are closer.
constexpr absl::Duration kResolution = absl::Nanoseconds(1);

template <typename Event, typename = void>
struct NamesSeat : std::false_type {};
template <typename Event>
struct NamesSeat<Event, std::void_t<decltype(Event::seat)>> : std::true_type {};

}  // namespace

Match::Match(Setup setup, const dice::Seed& seed)
    : setup_(std::move(setup)), seed_(seed), state_(setup_.game->NewState()) {
  assert(setup_.commitment == dice::Commit(seed_));
  assert(setup_.bots.size() == static_cast<size_t>(seats()));
  seats_.resize(static_cast<size_t>(seats()));
  for (SeatState& seat : seats_) {
    seat.bank_left = setup_.time_control.bank;
    seat.grace_left = setup_.policies.link_grace;
    seat.lag_left = setup_.policies.lag.per_match;
    seat.stall_left = setup_.time_control.stall_per_match;
  }
  times_.seats.resize(seats_.size());
  effects_.reserve(kUsualEffects);
  legal_.reserve(kUsualMoves);
  position_.reserve(kUsualPositionBytes);
  if (in_block()) ahead_ = setup_.game->NewState();
}

absl::Span<const Effect> Match::Step(const Event& event, Instant when, const Reading& reading) {
  effects_.clear();
  when_ = when;
  reading_ = reading;
  handing_ = false;
  retrying_ = false;
  clock_.SetStalls(reading.stalls);
  std::visit(
      [this](const auto& happened) {
        if constexpr (NamesSeat<std::decay_t<decltype(happened)>>::value) {
          if (!happened.seat.valid() || happened.seat.index() >= seats()) return;
        }
        On(happened);
      },
      event);
  next_deadline_ = NextDeadline();
  return effects_;
}

void Match::Handing(Instant when) {
  if (retrying_) clock_.AddStall(std::max(absl::ZeroDuration(), when - when_));
  if (handing_) clock_.SetDue(when);
  next_deadline_ = NextDeadline();
}

Seat Match::seat_to_move() const {
  return stage_ == Stage::kPlaying && !withheld_ ? state_->seat_to_move() : Seat::None();
}

absl::Duration Match::move_limit() const {
  const Seat seat = seat_to_move();
  if (!seat.valid()) return absl::ZeroDuration();
  const absl::Duration per_move = setup_.time_control.per_move * (lengthened_ ? 2 : 1);
  const absl::Duration own = std::min(per_move, bank_left(seat)) + FirstMoveAllowance(seat);
  return std::min(own, std::max(absl::ZeroDuration(), MatchTimeLeft()));
}

absl::Duration Match::FirstMoveAllowance(Seat seat) const {
  return seats_[seat.index()].moved ? absl::ZeroDuration() : setup_.time_control.first_move;
}

absl::Duration Match::time_left(Instant now) const {
  return std::max(absl::ZeroDuration(), move_limit() - clock_.Used(now));
}

uint32_t Match::request() const {
  uint32_t changes = 0;
  for (const Forfeited& forfeited : forfeits_) {
    if (forfeited.number == turn_) ++changes;
  }
  return changes;
}

// --- Events ---

void Match::On(const RequestOffered& event) {
  if (StartsClock(event.seat, event.turn, event.request)) clock_.Offer(when_);
}

void Match::On(const RequestSent& event) {
  if (!StartsClock(event.seat, event.turn, event.request)) return;
  clock_.Offer(std::min(event.offered, when_));
  clock_.Start(when_);
  clock_.SetRoundTrip(event.round_trip);
  const absl::Duration most =
      std::min(setup_.policies.lag.per_move, seats_[event.seat.index()].lag_left);
  clock_.Credit(std::min(event.round_trip, most));
}

void Match::On(const Replied& event) {
  if (!TakesReply(event.seat, event.turn, event.request, event.written)) return;
  const absl::StatusOr<games::Move> move = state_->Resolve(event.claimed, legal_);
  if (!move.ok()) {
    return PlayIllegal(absl::StrCat("illegal move ", setup_.game->MoveText(event.claimed),
                                    " in turn ", turn_, ": ", move.status().message()));
  }
  Play(*move, Used(), TimingNow(), {});
  GoOn();
}

void Match::On(const RepliedUnreadably& event) {
  if (!TakesReply(event.seat, event.turn, event.request, event.written)) return;
  PlayIllegal(absl::StrCat("unreadable move in turn ", turn_, ": ", event.problem.message()));
}

void Match::On(const Tick&) {
  if (stage_ == Stage::kReadying && when_ >= ready_deadline_) return EndReadying();
  if (stage_ == Stage::kRevealing && when_ >= ready_deadline_) return EndRevealing();
  if (frozen()) {
    if (when_ >= resume_deadline_) Thaw();
    return;
  }
  if (!asked_.valid()) return;
  NoteHandoverMissed();
  // A move that arrives on the very deadline is in time, also when this tick is stepped first; and
  // one may have come while the referee stood still.
  if (when_ <= clock_.TimeOut(clock_.excused())) return;
  written_ = Instant::InfiniteFuture();
  LoseOnTime();
}

void Match::NoteHandoverMissed() {
  if (!clock_.runs() && when_ > clock_.HandoverDeadline()) clock_.MissHandover(when_);
}

void Match::On(const LinkLost& event) {
  SeatState& seat = seats_[event.seat.index()];
  if (seat.linked()) seat.link_lost = when_;
  if (stage_ != Stage::kPlaying || event.seat != asked_) return;
  clock_.Start(when_);
  clock_.Pause(seat.link_lost);
}

void Match::On(const LinkBack& event) {
  seats_[event.seat.index()].link_lost = Instant::InfiniteFuture();
  if (stage_ == Stage::kNew || stage_ == Stage::kOver) return;
  if (frozen() && EveryPlayerLinked()) {
    Thaw();
    // The start is told with the position as it is now: after the passes that led to it.
    const bool asks = !effects_.empty() && std::holds_alternative<AskTurn>(effects_.back());
    effects_.insert(effects_.end() - (asks ? 1 : 0), TellStart{event.seat});
    return;
  }
  TellStartTo(event.seat);
  if (stage_ != Stage::kPlaying || event.seat != asked_) return;
  clock_.Continue(when_);
  effects_.emplace_back(AskTurn{event.seat});
}

void Match::On(const Resigned& event) {
  if (stage_ == Stage::kOver || state_->phase() == games::Phase::kOver) return;
  SeatState& seat = seats_[event.seat.index()];
  if (seat.resigned || state_->forfeited(event.seat)) return;
  seat.resigned = true;
  seat.resigned_why = event.reason;
  if (event.seat == asked_) {
    // Its turn is over, before its request was offered, or before the tick that says that it was
    // not taken in time.
    clock_.Offer(when_);
    NoteHandoverMissed();
  }
  if (stage_ != Stage::kPlaying) return ResignAtStart(event.seat);
  due_forfeits_.insert(due_forfeits_.begin(), {event.seat, Cause::kResigned, ""});
  GoOn();
}

void Match::On(const Refused& event) {
  seats_[event.seat.index()].stalls_charged = true;
  if (event.seat == asked_) clock_.ChargeStalls();
}

void Match::On(const Stopped& event) {
  assert(event.ending != Ending::kFinished);
  if (stage_ == Stage::kOver) return;
  if (awaits_end_) return EndWithResult();
  EndWithout(event.ending, event.reason, event.by);
}

// --- Turns ---

void Match::GoOn() {
  while (!withheld_) {
    if (state_->phase() == games::Phase::kOver) return Finish();
    if (state_->phase() == games::Phase::kChance) {
      return Await(state_->chance(), state_->first_seat());
    }
    if (ForfeitNext()) continue;
    state_->LegalMoves(&legal_);
    if (legal_.size() > 1 || !legal_.front().is_pass()) return Ask();
    Play(games::Move::Pass(), absl::ZeroDuration(), {}, {});
  }
}

void Match::Ask() {
  if (frozen()) return;
  const Seat seat = state_->seat_to_move();
  effects_.emplace_back(AskTurn{seat});
  request_ = request();
  if (IsDue(seat, turn_)) {
    handing_ = !clock_.offered();
    return clock_.SetLimit(move_limit());
  }
  asked_ = seat;
  handing_ = true;
  clock_.Reset(when_, move_limit(), seats_[seat.index()].grace_left,
               {setup_.time_control.stall_per_move,
                std::min(setup_.time_control.stall_per_move, seats_[seat.index()].stall_left)});
  if (seats_[seat.index()].stalls_charged) clock_.ChargeStalls();
  if (seats_[seat.index()].linked()) return;
  // The link may have been lost after the reply was read that made the turn due.
  clock_.Start(seats_[seat.index()].link_lost);
  clock_.Pause(seats_[seat.index()].link_lost);
}

void Match::StopClock() {
  asked_ = Seat::None();
  clock_.Clear();
}

void Match::Play(games::Move move, absl::Duration used, const absl::optional<Timing>& timing,
                 absl::optional<Cause> substituted) {
  Played played;
  played.number = turn_;
  played.seat = state_->seat_to_move();
  played.roll = Roll(state_->roll());
  played.move = move;
  played.legal_count = static_cast<uint32_t>(legal_.size());
  played.used = used;
  played.timing = timing;
  played.substituted = substituted;
  StopClock();
  if (in_block() && Withhold(played)) return;
  Carry(std::move(played));
}

void Match::Carry(Played played) {
  played.bank_left = Count(played);
  state_->Apply(played.move);
  DrawChance();
  played.digest = dice::Digest(position_);
  ++turn_;
  last_turn_ = played;
  Write(played);
}

absl::Duration Match::Count(const Played& played) {
  SeatState& seat = seats_[played.seat.index()];
  seat.last_played = played.number;
  lengthened_ = false;
  if (!played.timing) return seat.bank_left;  // a pass
  const absl::Duration charged =
      std::max(absl::ZeroDuration(), played.used - FirstMoveAllowance(played.seat));
  seat.bank_left =
      std::max(absl::ZeroDuration(), seat.bank_left - charged) + setup_.time_control.increment;
  seat.moved = true;
  seat.grace_left -= played.timing->paused;
  seat.lag_left -= played.timing->credit;
  seat.stall_left -= played.timing->stalled;
  seat.stalls_charged |= played.timing->stalls_charged;
  seat.used += played.used;
  used_ += played.used;
  if (played.substituted == Cause::kTimeout) ++seat.timeouts;
  if (played.substituted == Cause::kIllegal) ++seat.illegal_moves;
  tries_ = 0;
  return seat.bank_left;
}

// Turn rolls are recorded with the turns that are played with them.
void Match::DrawChance() {
  while (state_->phase() == games::Phase::kChance && !IsWithheld(*state_)) {
    games::DrawOnce(*key_, state_.get(),
                    [this](const games::Chance& chance, absl::Span<const int> outcome) {
                      WriteDraw(chance, outcome);
                    });
  }
  position_.clear();
  if (state_->phase() != games::Phase::kChance) state_->AppendPosition(&position_);
}

void Match::WriteDraw(const games::Chance& chance, absl::Span<const int> outcome) {
  if (chance.kind == games::Chance::Kind::kTurnRoll) {
    shown_ = RollIndex(chance, state_->first_seat(), seats());
    return;
  }
  Drawn drawn;
  drawn.kind = chance.kind;
  if (chance.kind == games::Chance::Kind::kFirstPlayer) {
    drawn.seat = state_->first_seat();
  } else {
    drawn.round = chance.index;
    drawn.seat = chance.seat;
    int dice[games::kMaxChanceCount];
    for (size_t i = 0; i < outcome.size(); ++i) dice[i] = outcome[i] + 1;
    drawn.roll = Roll(absl::Span<const int>(dice, outcome.size()));
  }
  Write(drawn);
}

Instant Match::NextDeadline() const {
  if (stage_ == Stage::kReadying || stage_ == Stage::kRevealing) return ready_deadline_;
  if (frozen()) return resume_deadline_;
  if (!asked_.valid()) return Instant::InfiniteFuture();
  if (!clock_.runs()) return clock_.HandoverDeadline() + kResolution;
  return clock_.TimeOut(clock_.excused()) + kResolution;
}

// --- Replies ---

// Whether a reply to the due turn has arrived in time. Tells the fault or takes the seat out if
// not.
bool Match::TakesReply(Seat seat, uint32_t turn, uint32_t number, Instant written) {
  const bool due = stage_ == Stage::kPlaying && IsDue(seat, turn);
  if (!due || number != request_) {
    const bool replaced = due && number < request_;
    effects_.emplace_back(
        TellFault{seat, replaced ? TellFault::Kind::kReplacedRequest : TellFault::Kind::kWrongTurn,
                  turn, std::string(WhyNotTaken(seat, turn, number).message())});
    return false;
  }
  written_ = written;
  clock_.Start(when_);
  if (when_ <= time_out()) return true;
  if (when_ <= clock_.TimeOut(clock_.excused())) {
    EndWithoutContest();
  } else {
    LoseOnTime();
  }
  return false;
}

absl::string_view Match::WhatCameOfLosing(Seat seat) const {
  if (stage_ == Stage::kOver) return "the match is over";
  return state_->forfeited(seat) ? "the seat has forfeited and moves no more"
                                 : "the referee played in the bot's place";
}

absl::Status Match::WhyNotTaken(Seat seat, uint32_t turn, uint32_t number) const {
  const absl::optional<LostTurn>& lost = seats_[seat.index()].lost_turn;
  if (lost && lost->turn == turn && !IsDue(seat, turn)) {
    return MoveLate(turn, when_ - lost->deadline, lost->limit, WhatCameOfLosing(seat));
  }
  if (stage_ == Stage::kOver) {
    return absl::FailedPreconditionError(
        absl::StrCat("turn ", turn, ": the match is over; no more moves are taken"));
  }
  if (stage_ != Stage::kPlaying) {
    return absl::FailedPreconditionError(absl::StrCat(
        "turn ", turn, ": the match has not begun; wait until the bot is asked for a turn"));
  }
  if (state_->forfeited(seat)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "turn ", turn, ": the seat has forfeited and moves no more; ", DueTurn(turn_, asked_)));
  }
  if (withheld_ && turn == turn_ && seat == state_->seat_to_move()) {
    return MoveRepeated(turn, turn_, asked_);
  }
  if (IsDue(seat, turn)) {
    if (number < request_) {
      return absl::FailedPreconditionError(
          absl::StrCat("turn ", turn, ", request ", number,
                       ": another seat's forfeit has changed the position, and the "
                       "move is passed over at no cost; answer request ",
                       request_, " of the turn, which has its whole time"));
    }
    return absl::FailedPreconditionError(
        absl::StrCat("turn ", turn, ", request ", number,
                     ": the seat was not asked by this request; due is request ", request_,
                     " (a reply repeats the number of its request)"));
  }
  if (turn >= turn_) {
    return absl::FailedPreconditionError(absl::StrCat(
        "turn ", turn, ": the seat was not asked for this turn; ", DueTurn(turn_, asked_)));
  }
  if (turn == seats_[seat.index()].last_played) return MoveRepeated(turn, turn_, asked_);
  return absl::FailedPreconditionError(absl::StrCat(
      "turn ", turn, ": the move is too late, the turn has passed; ", DueTurn(turn_, asked_)));
}

}  // namespace referee::match
