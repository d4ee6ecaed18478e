#include "referee/replay/clock_checker.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"

namespace referee::replay {
namespace {

using match::Cause;
using match::FaultPolicy;

// The dice draw a substitute move from at most this many legal moves.
constexpr size_t kMaxDrawn = 65536;

const char kGood[] = "";

// Messages may be about a single nanosecond.
std::string Nanos(absl::Duration duration) {
  if (duration == absl::InfiniteDuration()) return "unlimited time";
  return absl::StrCat(absl::ToInt64Nanoseconds(duration), " ns");
}

std::string Of(absl::string_view what, Seat seat) {
  return absl::StrCat(what, " of seat ", seat.text(), ": ");
}

absl::Duration AtLeastZero(absl::Duration duration) {
  return std::max(absl::ZeroDuration(), duration);
}

// Time on the seat's clock when the reply was read.
absl::Duration Elapsed(const match::Timing& timing) {
  return AtLeastZero(timing.read - timing.started - timing.paused - timing.stalled - timing.credit);
}

std::string WrongSum(absl::Duration used, absl::Duration expected) {
  return absl::StrCat(Nanos(used), " used, but its times give ", Nanos(expected));
}

}  // namespace

ClockChecker::ClockChecker(const match::Setup& setup)
    : setup_(setup), time_control_(setup.time_control), policies_(setup.policies) {
  SeatClock clock;
  clock.bank = time_control_.bank;
  clock.grace = policies_.link_grace;
  clock.lag = policies_.lag.per_match;
  clock.stall = time_control_.stall_per_match;
  seats_.assign(static_cast<size_t>(setup_.game->seats()), clock);
}

absl::Duration ClockChecker::FirstMoveAllowance(Seat seat) {
  return ClockOf(seat).moved ? absl::ZeroDuration() : time_control_.first_move;
}

absl::Duration ClockChecker::StallQuota(Seat seat) {
  const SeatClock& clock = ClockOf(seat);
  if (clock.stalls_charged) return absl::ZeroDuration();
  return std::min(time_control_.stall_per_move, clock.stall);
}

absl::Duration ClockChecker::MatchTimeLeft() const {
  return AtLeastZero(time_control_.match - used_);
}

absl::Duration ClockChecker::Limit(Seat seat) {
  const absl::Duration per_move = time_control_.per_move * (lengthened_ ? 2 : 1);
  const absl::Duration own = std::min(per_move, ClockOf(seat).bank) + FirstMoveAllowance(seat);
  return std::min(own, MatchTimeLeft());
}

// --- What must follow a record ---

std::string ClockChecker::CheckNext() const {
  switch (next_) {
    case Next::kAnything:
    case Next::kReadyingOver:
      return kGood;
    case Next::kSubstitute:
      return "the referee did not play for the seat whose move was illegal";
    case Next::kForfeits:
      return "the match's time was used up, but the seats do not forfeit";
    case Next::kVoid:
      return "a match without a contest goes on";
  }
  return kGood;
}

void ClockChecker::Take(const match::Resumed&) {
  resumed_ = true;
  lengthened_ = false;
  if (next_ != Next::kVoid) next_ = Next::kAnything;
}

std::string ClockChecker::Take(const match::Ended& ended) {
  if (next_ == Next::kVoid && ended.ending == match::Ending::kVoid) return kGood;
  if (next_ == Next::kForfeits && ended.ending == match::Ending::kFinished) return kGood;
  // In a block, another match may make this one void before the turn or the forfeits are published.
  const bool withheld = setup_.block && ended.ending != match::Ending::kFinished;
  if ((next_ == Next::kSubstitute || next_ == Next::kForfeits) && withheld) return kGood;
  return CheckNext();
}

// --- Turns ---

std::string ClockChecker::Take(const match::Played& turn, absl::Span<const games::Move> legal,
                               const dice::Key& key) {
  const bool pass = legal.empty() ? turn.legal_count == 1 && turn.move.is_pass()
                                  : legal.size() == 1 && legal.front().is_pass();
  std::string problem = pass ? CheckPass(turn) : CheckPlayed(turn, legal, key);
  if (!problem.empty()) return problem;
  if (!pass) Count(turn);
  lengthened_ = false;
  next_ = Next::kAnything;
  const absl::Duration bank = ClockOf(turn.seat).bank;
  if (turn.bank_left == bank) return kGood;
  return absl::StrCat("clock: ", Nanos(turn.bank_left), " left in the bank, but it should be ",
                      Nanos(bank));
}

std::string ClockChecker::CheckPass(const match::Played& turn) const {
  if (turn.used != absl::ZeroDuration()) {
    return absl::StrCat("clock: ", Nanos(turn.used), " used for a pass, which costs none");
  }
  if (turn.timing || turn.substituted) return "clock: nobody is asked for a pass";
  return CheckNext();
}

std::string ClockChecker::CheckPlayed(const match::Played& turn,
                                      absl::Span<const games::Move> legal, const dice::Key& key) {
  const bool due = next_ == Next::kSubstitute && turn.substituted == Cause::kIllegal;
  if (std::string problem = due ? kGood : CheckNext(); !problem.empty()) return problem;
  if (turn.substituted == Cause::kIllegal && !due) {
    return "the referee played for a seat whose move was not illegal";
  }
  if (!turn.timing) return "clock: nothing says where the time went";
  std::string problem = CheckTiming(*turn.timing, turn.seat);
  if (!problem.empty()) return problem;
  const absl::Duration elapsed = Elapsed(*turn.timing);
  const absl::Duration limit = Limit(turn.seat);
  if (turn.substituted == Cause::kTimeout) {
    problem = CheckTimeout(turn.seat, elapsed);
    if (!problem.empty()) return problem;
    if (turn.used != limit) {
      return absl::StrCat("clock: ", Nanos(turn.used),
                          " used, but a seat that was played for is charged its limit, ",
                          Nanos(limit));
    }
  } else if (turn.used != elapsed) {
    return absl::StrCat("clock: ", WrongSum(turn.used, elapsed));
  } else if (turn.used > limit) {
    return absl::StrCat("clock: ", Nanos(turn.used), " used, but the limit was ", Nanos(limit));
  }
  return turn.substituted ? CheckSubstitute(turn, legal, key) : kGood;
}

std::string ClockChecker::CheckTiming(const match::Timing& timing, Seat seat) {
  SeatClock& clock = ClockOf(seat);
  const absl::Duration zero = absl::ZeroDuration();
  if (timing.started < zero) return "clock: it started before the turn was due";
  if (timing.started > limits::kHandoverLimit) {
    return absl::StrCat("clock: it started ", Nanos(timing.started),
                        " after the turn was due, but the limit of the handover is ",
                        Nanos(limits::kHandoverLimit));
  }
  if (timing.read < timing.started) return "clock: the reply was read before the clock started";
  if (timing.taken < timing.read) return "clock: the reply was taken up before it was read";
  const bool written = timing.written < absl::InfiniteDuration();
  if (written && (timing.written < zero || timing.written > timing.taken)) {
    return "clock: the request was not written between due and taken up";
  }
  if (timing.round_trip < zero) return "clock: the round trip is less than nothing";
  if (timing.paused < zero || timing.paused > clock.grace) {
    return absl::StrCat("clock: it stood still for ", Nanos(timing.paused), ", but ",
                        Nanos(clock.grace), " of the grace for a lost link were left");
  }
  if (timing.paused > zero && !timing.link_lost) {
    return absl::StrCat("clock: it stood still for ", Nanos(timing.paused),
                        ", but its link was not lost");
  }
  if (clock.stalls_charged && !timing.stalls_charged) {
    return "clock: the referee's stalls were charged to the seat before, but not in this turn";
  }
  clock.stalls_charged = timing.stalls_charged;
  const absl::Duration quota = StallQuota(seat);
  if (timing.stalled < zero || timing.stalled > quota) {
    return absl::StrCat("clock: ", Nanos(timing.stalled),
                        " of the referee's stalls given back, but it should be at most ",
                        Nanos(quota));
  }
  if (timing.stalled > AtLeastZero(timing.read - timing.started - timing.paused)) {
    return "clock: more was given back than its clock ran";
  }
  const absl::Duration most =
      std::min(timing.round_trip, std::min(policies_.lag.per_move, clock.lag));
  if (timing.credit < zero || timing.credit > most) {
    return absl::StrCat("clock: ", Nanos(timing.credit),
                        " of network time credited, but it should be at most ", Nanos(most));
  }
  return kGood;
}

// Checks a turn that the referee played because the seat's time was up.
std::string ClockChecker::CheckTimeout(Seat seat, absl::Duration elapsed) {
  const FaultPolicy& policy = policies_.on_timeout;
  const absl::Duration limit = Limit(seat);
  if (policy.action != FaultPolicy::Action::kSubstitute) {
    return absl::StrCat("the referee played for a time loss, but the policy is ",
                        match::FaultPolicyText(policy));
  }
  if (elapsed <= limit) {
    return absl::StrCat("clock: the referee played for a time loss after ", Nanos(elapsed),
                        ", but the limit was ", Nanos(limit));
  }
  if (limit >= MatchTimeLeft()) {
    return "the referee played for a time loss, but the match's time was used up";
  }
  if (ClockOf(seat).timeouts < policy.max_strikes) return kGood;
  return absl::StrCat("the referee played for a time loss, but seat ", seat.text(), " had its ",
                      policy.max_strikes, " strikes");
}

std::string ClockChecker::CheckSubstitute(const match::Played& turn,
                                          absl::Span<const games::Move> legal,
                                          const dice::Key& key) const {
  if (legal.empty()) return kGood;
  const FaultPolicy& policy =
      turn.substituted == Cause::kTimeout ? policies_.on_timeout : policies_.on_illegal;
  int index = 0;
  if (policy.substitute == FaultPolicy::Substitute::kRandom && legal.size() > 1) {
    const size_t drawn = std::min(legal.size(), kMaxDrawn);
    key.Uniform(dice::Label::Substitute(turn.number), static_cast<int>(drawn),
                absl::MakeSpan(&index, 1));
  }
  const games::Move& due = legal[static_cast<size_t>(index)];
  if (turn.move == due) return kGood;
  return absl::StrCat("the referee played ", setup_.game->MoveText(turn.move),
                      " for the seat, but the policy gives ", setup_.game->MoveText(due));
}

void ClockChecker::Count(const match::Played& turn) {
  SeatClock& clock = ClockOf(turn.seat);
  clock.bank = AtLeastZero(clock.bank - AtLeastZero(turn.used - FirstMoveAllowance(turn.seat))) +
               time_control_.increment;
  clock.moved = true;
  clock.grace -= turn.timing->paused;
  clock.lag -= turn.timing->credit;
  clock.stall -= turn.timing->stalled;
  clock.used += turn.used;
  if (turn.substituted == Cause::kTimeout) ++clock.timeouts;
  if (turn.substituted == Cause::kIllegal) ++clock.illegal_moves;
  used_ += turn.used;
  tries_ = 0;
  resumed_ = false;
}

// --- Faults ---

std::string ClockChecker::Take(const match::Faulted& fault) {
  if (std::string problem = CheckNext(); !problem.empty()) return problem;
  next_ = Next::kAnything;
  resumed_ = false;
  std::string problem =
      fault.cause == Cause::kTimeout ? TakeEndOfMatchTime(fault) : TakeIllegalMove(fault);
  return problem.empty() ? kGood : Of("fault", fault.seat) + problem;
}

std::string ClockChecker::TakeEndOfMatchTime(const match::Faulted& fault) {
  const absl::Duration limit = Limit(fault.seat);
  if (limit < MatchTimeLeft()) {
    return absl::StrCat("the match's time used up, but ", Nanos(MatchTimeLeft()),
                        " were left, and the limit of the turn was ", Nanos(limit));
  }
  if (fault.used != limit) {
    return absl::StrCat(Nanos(fault.used), " used, but the match's time left was ", Nanos(limit));
  }
  if (!fault.timing)
    return "the match's time used up, but nothing says where that of the turn went";
  if (std::string problem = CheckTiming(*fault.timing, fault.seat); !problem.empty()) {
    return problem;
  }
  if (const absl::Duration elapsed = Elapsed(*fault.timing); elapsed <= limit) {
    return absl::StrCat("the match's time used up after ", Nanos(elapsed), ", but the limit was ",
                        Nanos(limit));
  }
  ClockOf(fault.seat).used += fault.used;
  used_ += fault.used;
  at_cap_ = fault.seat;
  next_ = Next::kForfeits;
  return kGood;
}

std::string ClockChecker::TakeIllegalMove(const match::Faulted& fault) {
  const FaultPolicy& policy = policies_.on_illegal;
  const absl::Duration limit = Limit(fault.seat);
  if (fault.timing) return "a move with times, but its turn is not over";
  if (fault.used < absl::ZeroDuration() || fault.used > limit) {
    return absl::StrCat("a move after ", Nanos(fault.used), ", but the limit was ", Nanos(limit));
  }
  if (policy.action == FaultPolicy::Action::kRetry) {
    ++tries_;
    if (tries_ < policy.max_tries) return kGood;
    return absl::StrCat("try ", tries_, " of ", policy.max_tries,
                        " was forgiven, but was the last");
  }
  if (policy.action == FaultPolicy::Action::kSubstitute) {
    next_ = Next::kSubstitute;
    if (ClockOf(fault.seat).illegal_moves < policy.max_strikes) return kGood;
    return absl::StrCat("an illegal move was forgiven, but the seat had its ", policy.max_strikes,
                        " strikes");
  }
  return absl::StrCat("an illegal move was forgiven, but the policy is ",
                      match::FaultPolicyText(policy));
}

std::string ClockChecker::Take(const match::NoContest& no_contest) {
  if (std::string problem = CheckNext(); !problem.empty()) return problem;
  std::string problem = CheckTiming(no_contest.timing, no_contest.seat);
  if (!problem.empty()) return problem;
  const std::string who = Of("no contest", no_contest.seat);
  const absl::Duration elapsed = Elapsed(no_contest.timing);
  const absl::Duration limit = Limit(no_contest.seat);
  if (no_contest.used != elapsed) return who + WrongSum(no_contest.used, elapsed);
  if (no_contest.limit != limit) {
    return absl::StrCat(who, "a limit of ", Nanos(no_contest.limit), ", but it was ", Nanos(limit));
  }
  if (elapsed <= limit) {
    return absl::StrCat(who, Nanos(elapsed), " used, which is not more than the limit of ",
                        Nanos(limit));
  }
  if (no_contest.timing.stalls_charged) {
    return who + "the referee stood still, but its stalls were charged to the seat";
  }
  if (no_contest.stall <= time_control_.stall_per_move) {
    return absl::StrCat(who, "the referee stood still for ", Nanos(no_contest.stall),
                        ", which is no more than may be given back, ",
                        Nanos(time_control_.stall_per_move));
  }
  if (const absl::Duration quota = StallQuota(no_contest.seat);
      no_contest.timing.stalled != quota) {
    return absl::StrCat(who, Nanos(no_contest.timing.stalled), " was given back, and not ",
                        Nanos(quota));
  }
  const absl::Duration late = elapsed + no_contest.timing.stalled - limit;
  if (no_contest.stall < late) {
    return absl::StrCat(who, "the referee stood still for ", Nanos(no_contest.stall),
                        ", which cannot have decided a loss by ", Nanos(late));
  }
  next_ = Next::kVoid;
  return kGood;
}

// --- Forfeits ---

std::string ClockChecker::Take(const match::Forfeited& forfeit, Seat to_move) {
  std::string problem;
  if (next_ == Next::kForfeits) {
    problem = CheckForfeitAtCap(forfeit);
  } else {
    problem = CheckNext();
    if (problem.empty()) {
      problem = forfeit.timing ? CheckForfeitOnClock(forfeit, to_move)
                               : CheckForfeitWithoutClock(forfeit, to_move);
    }
    if (problem.empty()) problem = CheckInterruption(forfeit, to_move);
  }
  if (!problem.empty()) return Of("forfeit", forfeit.seat) + problem;
  ClockOf(forfeit.seat).out = true;
  used_ += forfeit.used;
  const bool mover = forfeit.seat == to_move;
  if (mover) tries_ = 0;
  lengthened_ = !mover && (lengthened_ || forfeit.interrupts_turn);
  if (forfeit.timing) resumed_ = false;
  if (forfeit.timing && next_ == Next::kReadyingOver) next_ = Next::kAnything;
  return kGood;
}

// A seat that is not to move may interrupt a turn only by resigning.
std::string ClockChecker::CheckInterruption(const match::Forfeited& forfeit, Seat to_move) const {
  if (!forfeit.interrupts_turn) return kGood;
  if (forfeit.seat == to_move) return "it interrupts a turn, but it was that of the seat itself";
  return forfeit.cause == Cause::kResigned ? kGood
                                           : "it interrupts a turn, but the seat did not resign";
}

std::string ClockChecker::CheckForfeitOnClock(const match::Forfeited& forfeit, Seat to_move) {
  if (forfeit.seat != to_move) return "it has times, but it was not to move";
  std::string problem = CheckTiming(*forfeit.timing, forfeit.seat);
  if (!problem.empty()) return problem;
  const absl::Duration elapsed = Elapsed(*forfeit.timing);
  if (forfeit.used != elapsed) return WrongSum(forfeit.used, elapsed);
  switch (forfeit.cause) {
    case Cause::kResigned:
      return kGood;
    case Cause::kIllegal:
      return CheckForfeitForMove(forfeit);
    case Cause::kTimeout:
    case Cause::kDisconnected:
      return CheckForfeitForTime(forfeit);
  }
  return "the cause is unknown";
}

std::string ClockChecker::CheckForfeitForMove(const match::Forfeited& forfeit) {
  const FaultPolicy& policy = policies_.on_illegal;
  const absl::Duration limit = Limit(forfeit.seat);
  if (forfeit.used > limit) {
    return absl::StrCat("for a move after ", Nanos(forfeit.used), ", but the limit was ",
                        Nanos(limit));
  }
  if (policy.action == FaultPolicy::Action::kRetry && tries_ + 1 < policy.max_tries) {
    return absl::StrCat("for try ", tries_ + 1, " of ", policy.max_tries);
  }
  const int illegal_moves = ClockOf(forfeit.seat).illegal_moves;
  if (policy.action == FaultPolicy::Action::kSubstitute && illegal_moves < policy.max_strikes) {
    return absl::StrCat("for a move after ", illegal_moves, " of ", policy.max_strikes, " strikes");
  }
  return kGood;
}

std::string ClockChecker::CheckForfeitForTime(const match::Forfeited& forfeit) {
  const FaultPolicy& policy = policies_.on_timeout;
  const absl::Duration limit = Limit(forfeit.seat);
  if (forfeit.used <= limit) {
    return absl::StrCat("for its time after ", Nanos(forfeit.used), ", but the limit was ",
                        Nanos(limit));
  }
  if (limit >= MatchTimeLeft()) {
    return "for its time alone, but that of the match was used up";
  }
  if (forfeit.cause == Cause::kDisconnected && !forfeit.timing->link_lost) {
    return "for a lost link, but its link was not lost";
  }
  const int timeouts = ClockOf(forfeit.seat).timeouts;
  if (policy.action == FaultPolicy::Action::kSubstitute && timeouts < policy.max_strikes) {
    return absl::StrCat("for its time after ", timeouts, " of ", policy.max_strikes, " strikes");
  }
  return kGood;
}

// Checks the forfeit of a seat that was not ready, or that resigned while its clock was not
// running.
std::string ClockChecker::CheckForfeitWithoutClock(const match::Forfeited& forfeit, Seat to_move) {
  const bool starting = next_ == Next::kReadyingOver;
  const bool mover = forfeit.seat == to_move;
  if (forfeit.used != absl::ZeroDuration()) return "nothing says where its time went";
  switch (forfeit.cause) {
    case Cause::kResigned:
      // In a block, the resignation may be processed when the seat's roll is released, before it is
      // asked.
      if (mover && !starting && !resumed_ && !setup_.block) {
        return "nothing says where its time went";
      }
      resigned_before_start_ = starting;
      return kGood;
    case Cause::kIllegal:
      return mover ? "nothing says where its time went" : "for a move, but it was not to move";
    case Cause::kTimeout:
    case Cause::kDisconnected:
      if (starting && !resigned_before_start_) return kGood;
      return mover ? "nothing says where its time went" : "for its time, but it was not to move";
  }
  return "the cause is unknown";
}

std::string ClockChecker::CheckForfeitAtCap(const match::Forfeited& forfeit) {
  Seat slowest = ClockOf(at_cap_).out ? Seat::None() : at_cap_;
  for (int i = 0; i < static_cast<int>(seats_.size()); ++i) {
    if (ClockOf(Seat(i)).out) continue;
    if (!slowest.valid() || ClockOf(Seat(i)).used > ClockOf(slowest).used) slowest = Seat(i);
  }
  if (forfeit.seat != slowest) {
    return absl::StrCat("the match's time was used up, but most of it by seat ", slowest.text());
  }
  if (forfeit.cause != Cause::kTimeout) {
    return absl::StrCat("the match's time was used up, but the cause is ",
                        match::CauseName(forfeit.cause));
  }
  if (forfeit.timing || forfeit.used != absl::ZeroDuration()) {
    return "the match's time was used up, but it has times of its own";
  }
  if (forfeit.interrupts_turn) return "the match's time was used up, but it interrupts a turn";
  return kGood;
}

}  // namespace referee::replay
