// What faults cost, and how a match ends.
#include <algorithm>
#include <cassert>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/match/match.h"

namespace referee::match {
namespace {

// The dice draw from no more than this.
constexpr size_t kMaxDrawn = 65536;

// "512.25 ms": exact, so that a loss by a nanosecond reads as one.
std::string Milliseconds(absl::Duration duration) {
  if (duration == absl::InfiniteDuration()) return "unlimited";
  const int64_t nanos = absl::ToInt64Nanoseconds(duration);
  std::string text = absl::StrCat(nanos / 1'000'000);
  if (nanos % 1'000'000 != 0) {
    std::string fraction = absl::StrCat(1'000'000 + nanos % 1'000'000).substr(1);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    absl::StrAppend(&text, ".", fraction);
  }
  return text + " ms";
}

}  // namespace

// --- Illegal moves ---

void Match::PlayIllegal(std::string detail) {
  const FaultPolicy& policy = setup_.policies.on_illegal;
  const bool forgiven = seats_[asked_.index()].illegal_moves < policy.max_strikes;
  if (policy.action == FaultPolicy::Action::kRetry && tries_ + 1 < policy.max_tries) {
    return Retry(std::move(detail));
  }
  if (policy.action == FaultPolicy::Action::kSubstitute && forgiven) {
    Write(Faulted{asked_, Cause::kIllegal, turn_, Used(), std::move(detail)});
    return Substitute(Cause::kIllegal, policy);
  }
  ForfeitAndGoOn(asked_, Cause::kIllegal, std::move(detail));
}

void Match::Retry(std::string detail) {
  ++tries_;
  retrying_ = true;
  const int left = setup_.policies.on_illegal.max_tries - tries_;
  effects_.emplace_back(TellFault{asked_, TellFault::Kind::kIllegalMove, turn_,
                                  absl::StrCat(detail, "; ", left, left == 1 ? " try" : " tries",
                                               " left, and the clock runs on")});
  Write(Faulted{asked_, Cause::kIllegal, turn_, Used(), std::move(detail)});
}

// Time beyond the limit is nobody's: it is not charged.
void Match::Substitute(Cause cause, const FaultPolicy& policy) {
  int index = 0;
  if (policy.substitute == FaultPolicy::Substitute::kRandom && legal_.size() > 1) {
    key_->Uniform(dice::Label::Substitute(turn_),
                  static_cast<int>(std::min(legal_.size(), kMaxDrawn)), absl::MakeSpan(&index, 1));
  }
  Play(legal_[static_cast<size_t>(index)], std::min(Used(), clock_.limit()), TimingNow(), cause);
  GoOn();
}

// --- Time ---

// Whoever was gone when the time was up has lost through that.
void Match::LoseOnTime() {
  seats_[asked_.index()].lost_turn = LostTurn{turn_, time_out(), clock_.limit()};
  if (clock_.limit() >= MatchTimeLeft()) return EndMatchTime();
  const SeatState& seat = seats_[asked_.index()];
  const FaultPolicy& policy = setup_.policies.on_timeout;
  if (policy.action == FaultPolicy::Action::kSubstitute && seat.timeouts < policy.max_strikes) {
    return Substitute(Cause::kTimeout, policy);
  }
  const Cause cause = seat.link_lost <= time_out() ? Cause::kDisconnected : Cause::kTimeout;
  std::string detail = absl::StrCat("used ", Milliseconds(Used()), " of ",
                                    Milliseconds(clock_.limit()), " for turn ", turn_);
  if (const absl::Duration back = TimingNow().stalled; back > absl::ZeroDuration()) {
    absl::StrAppend(&detail, ", ", Milliseconds(back), " of the referee's own not counted");
  }
  if (cause == Cause::kDisconnected) absl::StrAppend(&detail, ", its link being lost");
  ForfeitAndGoOn(asked_, cause, std::move(detail));
}

void Match::EndWithoutContest() {
  NoContest record;
  record.seat = asked_;
  record.number = turn_;
  record.used = Used();
  record.limit = clock_.limit();
  record.stall = clock_.stalls().longest;
  record.timing = TimingNow();
  const std::string reason = absl::StrCat(
      "seat ", std::string(1, asked_.letter()), " used ", Milliseconds(record.used), " of ",
      Milliseconds(record.limit), " for turn ", turn_, ", but the referee itself stood still for ",
      Milliseconds(record.stall), " at a time meanwhile, of which ",
      Milliseconds(record.timing.stalled), " could be given back");
  Write(std::move(record));
  EndWithout(Ending::kVoid, reason);
}

// What all seats together may use is used up.
void Match::EndMatchTime() {
  Faulted last;
  last.seat = asked_;
  last.cause = Cause::kTimeout;
  last.number = turn_;
  last.used = std::min(Used(), clock_.limit());
  last.timing = TimingNow();
  last.detail = absl::StrCat("the match's time of ",
                             absl::FormatDuration(setup_.time_control.match), " is used up");
  seats_[asked_.index()].used += last.used;
  used_ += last.used;
  Write(std::move(last));

  at_cap_ = asked_;
  StopClock();
  GoOn();
}

void Match::ForfeitSlowest() {
  const Seat slowest = SlowestSeat(at_cap_);
  Forfeit(slowest, Cause::kTimeout,
          absl::StrCat("the match's time of ", absl::FormatDuration(setup_.time_control.match),
                       " is used up, and this seat has used ",
                       Milliseconds(seats_[slowest.index()].used), ", the most of those left"));
}

Seat Match::SlowestSeat(Seat mover) const {
  Seat slowest = state_->forfeited(mover) ? Seat::None() : mover;
  for (int i = 0; i < seats(); ++i) {
    if (state_->forfeited(Seat(i))) continue;
    if (!slowest.valid() || seats_[i].used > seats_[slowest.index()].used) slowest = Seat(i);
  }
  return slowest;
}

// --- Ends ---

void Match::ForfeitAndGoOn(Seat seat, Cause cause, std::string detail) {
  Forfeit(seat, cause, std::move(detail));
  GoOn();
}

bool Match::ForfeitNext() {
  if (at_cap_.valid()) {
    ForfeitSlowest();
    return true;
  }
  while (!due_forfeits_.empty()) {
    DueForfeit due = std::move(due_forfeits_.back());
    due_forfeits_.pop_back();
    if (state_->forfeited(due.seat)) continue;
    if (due.detail.empty()) due.detail = ResignedText(due.seat, absl::StrCat("in turn ", turn_));
    Forfeit(due.seat, due.cause, std::move(due.detail));
    return true;
  }
  return false;
}

// Another seat that is to move keeps its dice and its clock. A new request, for the new position,
// replaces the one that it was asked by (Ask).
void Match::Forfeit(Seat seat, Cause cause, std::string detail) {
  Forfeited forfeited;
  forfeited.seat = seat;
  forfeited.cause = cause;
  forfeited.number = turn_;
  forfeited.detail = std::move(detail);
  forfeited.interrupts_turn = asked_.valid() && seat != asked_;
  if (seat == asked_) {
    forfeited.used = Used();
    forfeited.timing = TimingNow();
    StopClock();
  }
  if (in_block() && Withhold(forfeited)) return StopClock();
  Carry(std::move(forfeited));
}

void Match::Carry(Forfeited forfeited) {
  const Seat mover = state_->seat_to_move();
  if (forfeited.seat == mover) tries_ = 0;
  lengthened_ = LengthensTurn(forfeited, mover);
  used_ += forfeited.used;
  state_->Forfeit(forfeited.seat);
  DrawChance();
  forfeited.digest = dice::Digest(position_);
  forfeits_.push_back(forfeited);
  Write(std::move(forfeited));
}

void Match::Finish() {
  if (!in_block()) return EndWithResult();
  if (awaits_end_) return;
  awaits_end_ = true;
  StopClock();  // of a seat that was to move when another's forfeit ended the game
  legal_.clear();
  effects_.emplace_back(AwaitBlock{});
}

void Match::EndWithResult() {
  games::Outcome outcome = state_->outcome();
  Ended ended;
  ended.ending = Ending::kFinished;
  ended.reason = std::string(outcome.reason);
  ended.scores = std::move(outcome.scores);
  ended.ranks = std::move(outcome.ranks);
  End(std::move(ended));
}

void Match::EndWithout(Ending ending, std::string reason, std::string cancelled_by) {
  assert(ending != Ending::kFinished);
  Ended ended;
  ended.ending = ending;
  ended.reason = std::move(reason);
  ended.cancelled_by = std::move(cancelled_by);
  End(std::move(ended));
}

void Match::End(Ended ended) {
  for (const Forfeited& forfeited : forfeits_) {
    ended.forfeits.push_back(SeatForfeitOf(forfeited));
  }
  ended.seed = seed_;
  ended.times = times_;
  if (nonces_) {
    ended.nonces = *nonces_;
    ended.nonce_hashes = nonce_hashes_;
  }
  ended.time = reading_.wall;
  stage_ = Stage::kOver;
  resume_deadline_ = Instant::InfiniteFuture();
  StopClock();
  legal_.clear();
  withheld_.reset();
  due_forfeits_.clear();
  ended_ = ended;
  Write(std::move(ended));
}

}  // namespace referee::match
