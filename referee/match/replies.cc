#include "referee/match/replies.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/match/errors.h"

namespace referee::match {
namespace {

// The dice draw from at most this many moves.
constexpr size_t kMaxDrawn = 65536;

}  // namespace

// --- Replies ---

void Replies::Take(const Replied& event) {
  if (!IsInTime(event.seat, event.turn, event.request, event.written)) return;
  const absl::StatusOr<games::Move> move =
      parts_.position.state().Resolve(event.claimed, parts_.position.legal());
  if (!move.ok()) {
    return PlayIllegal(absl::StrCat("illegal move ", parts_.setup.game->MoveText(event.claimed),
                                    " in turn ", turns_.number(), ": ", move.status().message()));
  }
  turns_.Play(*move, parts_.clocks.Used(), parts_.clocks.TimingNow(), {});
  turns_.GoOn();
}

void Replies::Take(const RepliedUnreadably& event) {
  if (!IsInTime(event.seat, event.turn, event.request, event.written)) return;
  PlayIllegal(
      absl::StrCat("unreadable move in turn ", turns_.number(), ": ", event.problem.message()));
}

bool Replies::IsInTime(Seat seat, uint32_t turn, uint32_t request, Instant written) {
  const bool due = turns_.IsDue(seat, turn);
  if (!due || request != turns_.request()) {
    const bool replaced = due && request < turns_.request();
    parts_.step.effects.emplace_back(
        TellFault{seat, replaced ? TellFault::Kind::kReplacedRequest : TellFault::Kind::kWrongTurn,
                  turn, std::string(WhyNotTaken(seat, turn, request).message())});
    return false;
  }
  TurnClock& clock = parts_.clocks.turn();
  parts_.clocks.SetWritten(written);
  clock.Start(parts_.step.when);
  if (parts_.step.when <= clock.TimeOut(clock.given_back())) return true;
  if (parts_.step.when <= clock.TimeOut(clock.excused())) {
    EndWithoutContest();
  } else {
    LoseOnTime();
  }
  return false;
}

absl::Status Replies::WhyNotTaken(Seat seat, uint32_t turn, uint32_t request) const {
  const Seat asked = parts_.clocks.asked();
  const bool over = conclusion_.ended().has_value();
  const bool forfeited = parts_.position.state().forfeited(seat);
  const auto error = [&](const auto&... problem) {
    return absl::FailedPreconditionError(absl::StrCat("turn ", turn, problem...));
  };
  const std::string due = asked.valid() ? absl::StrCat("due is turn ", turns_.number(),
                                                       ", of seat ", std::string(1, asked.letter()))
                                        : "no move is waited for now";
  const auto repeated = [&] {
    return error(": the move is a repeated one, the first of this turn has been played; ", due);
  };
  const absl::optional<LostTurn>& lost = lost_turn(seat);
  if (lost && lost->turn == turn && !turns_.IsDue(seat, turn)) {
    const absl::string_view outcome = over        ? "the match is over"
                                      : forfeited ? "the seat has forfeited and moves no more"
                                                  : "the referee played in the bot's place";
    return MoveLate(turn, parts_.step.when - lost->deadline, lost->limit, outcome);
  }
  if (over) return error(": the match is over; no more moves are taken");
  if (!parts_.position.started()) {
    return error(": the match has not begun; wait until the bot is asked for a turn");
  }
  if (forfeited) return error(": the seat has forfeited and moves no more; ", due);
  if (turns_.withheld() && turn == turns_.number() &&
      seat == parts_.position.state().seat_to_move()) {
    return repeated();
  }
  if (turns_.IsDue(seat, turn)) {
    if (request < turns_.request()) {
      return error(", request ", request,
                   ": another seat's forfeit has changed the position, and the move is passed over "
                   "at no cost; answer request ",
                   turns_.request(), " of the turn, which has its whole time");
    }
    return error(", request ", request, ": the seat was not asked by this request; due is request ",
                 turns_.request(), " (a reply repeats the number of its request)");
  }
  if (turn >= turns_.number()) return error(": the seat was not asked for this turn; ", due);
  if (turn == turns_.last_played(seat)) return repeated();
  return error(": the move is too late, the turn has passed; ", due);
}

// --- Illegal moves ---

void Replies::PlayIllegal(std::string detail) {
  const Seat seat = parts_.clocks.asked();
  const FaultPolicy::Action action = parts_.faults.ActionFor(seat, Cause::kIllegal);
  if (action == FaultPolicy::Action::kForfeit) {
    return ForfeitAndGoOn(Cause::kIllegal, std::move(detail));
  }
  const bool retries = action == FaultPolicy::Action::kRetry;
  if (retries) {
    parts_.faults.CountTry();
    parts_.step.retrying = true;
    const int left = parts_.faults.tries_left();
    parts_.step.effects.emplace_back(
        TellFault{seat, TellFault::Kind::kIllegalMove, turns_.number(),
                  absl::StrCat(detail, "; ", left, left == 1 ? " try" : " tries",
                               " left, and the clock runs on")});
  }
  parts_.step.Write(
      Faulted{seat, Cause::kIllegal, turns_.number(), parts_.clocks.Used(), std::move(detail)});
  if (!retries) Substitute(Cause::kIllegal);
}

// Time beyond the limit is not charged.
void Replies::Substitute(Cause cause) {
  const std::vector<games::Move>& legal = parts_.position.legal();
  int index = 0;
  if (parts_.faults.policy(cause).substitute == FaultPolicy::Substitute::kRandom &&
      legal.size() > 1) {
    parts_.position.key()->Uniform(dice::Label::Substitute(turns_.number()),
                                   static_cast<int>(std::min(legal.size(), kMaxDrawn)),
                                   absl::MakeSpan(&index, 1));
  }
  const Clocks& clocks = parts_.clocks;
  turns_.Play(legal[static_cast<size_t>(index)], std::min(clocks.Used(), clocks.turn().limit()),
              clocks.TimingNow(), cause);
  turns_.GoOn();
}

// --- Time ---

void Replies::CheckTime() {
  if (!parts_.clocks.asked().valid()) return;
  parts_.clocks.NoteHandoverMissed();
  // A move that arrives exactly on the deadline is in time, even if this tick is stepped first.
  const TurnClock& clock = parts_.clocks.turn();
  if (parts_.step.when <= clock.TimeOut(clock.waited_out())) return;
  parts_.clocks.SetWritten(Instant::InfiniteFuture());
  LoseOnTime();
}

// If the bot was offline when its time ran out, the cause is DISCONNECTED.
void Replies::LoseOnTime() {
  const Clocks& clocks = parts_.clocks;
  const TurnClock& clock = clocks.turn();
  const Seat seat = clocks.asked();
  const Instant time_out = clock.TimeOut(clock.given_back());
  lost_turns_[seat.index()] = LostTurn{turns_.number(), time_out, clock.limit()};
  if (clock.limit() >= clocks.MatchTimeLeft()) return EndMatchTime();
  if (parts_.faults.ActionFor(seat, Cause::kTimeout) == FaultPolicy::Action::kSubstitute) {
    return Substitute(Cause::kTimeout);
  }
  const bool offline = parts_.links.lost(seat) <= time_out;
  std::string detail = absl::StrCat("used ", Milliseconds(clocks.Used()), " of ",
                                    Milliseconds(clock.limit()), " for turn ", turns_.number());
  if (const absl::Duration back = clocks.TimingNow().stalled; back > absl::ZeroDuration()) {
    absl::StrAppend(&detail, ", ", Milliseconds(back), " of the referee's own not counted");
  }
  if (offline) absl::StrAppend(&detail, ", its link being lost");
  ForfeitAndGoOn(offline ? Cause::kDisconnected : Cause::kTimeout, std::move(detail));
}

void Replies::EndWithoutContest() {
  const TurnClock& clock = parts_.clocks.turn();
  NoContest record;
  record.seat = parts_.clocks.asked();
  record.number = turns_.number();
  record.used = parts_.clocks.Used();
  record.limit = clock.limit();
  record.stall = clock.stalls().longest;
  record.timing = parts_.clocks.TimingNow();
  const std::string reason =
      absl::StrCat("seat ", std::string(1, record.seat.letter()), " used ",
                   Milliseconds(record.used), " of ", Milliseconds(record.limit), " for turn ",
                   record.number, ", but the referee itself stood still for ",
                   Milliseconds(record.stall), " at a time meanwhile, of which ",
                   Milliseconds(record.timing.stalled), " could be given back");
  parts_.step.Write(std::move(record));
  conclusion_.EndWithout(Ending::kVoid, reason);
}

// The time of all seats together is used up.
void Replies::EndMatchTime() {
  Clocks& clocks = parts_.clocks;
  Faulted last;
  last.seat = clocks.asked();
  last.cause = Cause::kTimeout;
  last.number = turns_.number();
  last.used = std::min(clocks.Used(), clocks.turn().limit());
  last.timing = clocks.TimingNow();
  last.detail = absl::StrCat("the match's time of ",
                             absl::FormatDuration(parts_.setup.time_control.match), " is used up");
  clocks.CountTurn(last.seat, last.used);
  parts_.forfeits.SetAtCap(last.seat);
  parts_.step.Write(std::move(last));
  clocks.Stop();
  turns_.GoOn();
}

void Replies::ForfeitAndGoOn(Cause cause, std::string detail) {
  turns_.Forfeit(parts_.clocks.asked(), cause, std::move(detail));
  turns_.GoOn();
}

}  // namespace referee::match
