// The witness's checks of clocks and timing.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tests/simulation/witness.h"

namespace referee::simulation {
namespace {

// A time loss is found this long after it at the latest: the referee's timers may be a little late
// and wait for replies that are read and not taken up.
const absl::Duration kFoundWithin = absl::Milliseconds(5) + limits::kHandoverLimit;

// The referee's monitor may not have seen so much of a stall's beginning, nor a shorter stall.
constexpr absl::Duration kUnseen = absl::Microseconds(3100);

}  // namespace

// The turn that is due is another now.
void Witness::NextDue(Account* account) {
  account->tries = 0;
  account->illegal_forgiven = false;
  DueAnew(account);
}

// The turn that is due is due from now on.
void Witness::DueAnew(Account* account) {
  account->due_since = queue_->Now();
  account->due_known = !account->frozen;
  account->replies.clear();
  account->taken.clear();
  account->asked_seat = Seat::None();
  account->judging = absl::ZeroDuration();
  for (size_t i = 0; i < account->bots.size(); ++i) {
    Account::SeatAccount& seat = account->seats[i];
    seat.handed_over = seat.answered = Instant::InfiniteFuture();
    seat.round_trip = absl::ZeroDuration();
    seat.offered = seat.held_in_vain = false;
    seat.unlinked = !linked_[account->bots[i]];
    seat.away = absl::ZeroDuration();
  }
}

// Another seat was taken out before the seat to move was asked.
void Witness::DueLater(Account* account) {
  const bool known = account->due_known;
  DueAnew(account);
  account->due_known = account->due_known && known;
}

// Another seat has resigned while the seat to move was thinking: its clock runs on. If its request
// was held back, so that no clock runs, it is due now.
void Witness::Interrupt(Account* account, const match::Forfeited& forfeited) {
  if (forfeited.cause != match::Cause::kResigned) {
    Fail(*account, "a turn was interrupted by a seat that did not resign");
  }
  account->lengthened = true;
  account->replies.clear();
  account->taken.clear();
  if (!account->asked_seat.valid()) return;
  const Account::SeatAccount& seat = account->seats[account->asked_seat.index()];
  const bool runs = seat.handed_over < Instant::InfiniteFuture() || seat.unlinked ||
                    seat.answered < Instant::InfiniteFuture();
  if (!runs && !seat.offered) account->due_since = queue_->Now();
}

bool Witness::IsToDue(const Account& account, const ReplyRead& reply) {
  return reply.turn == account.played + 1 && reply.request == account.request;
}

bool Witness::IsToReplaced(const Account& account, const ReplyRead& reply) {
  return reply.turn == account.played + 1 && reply.request < account.request;
}

bool Witness::HandlesReplyOf(const Account& account, Seat seat) const {
  return handling_ == &account && handled_.seat == seat && IsToDue(account, handled_);
}

const ReplyRead* Witness::ReplyBefore(const Account& account, Seat seat,
                                      const match::Timing& timing) const {
  if (account.rolls == nullptr && HandlesReplyOf(account, seat)) return &handled_;
  // It may have been withheld for long; or have come while the match was telling what it answers.
  for (const ReplyRead& reply : account.taken) {
    const Instant read = std::max(reply.read, account.due_since);
    if (reply.seat != seat) continue;
    if (!account.due_known || account.due_since + timing.read == read) return &reply;
  }
  return nullptr;
}

absl::Duration Witness::MoveLimit(const Account& account, const match::Setup& setup,
                                  Seat of) const {
  const Account::SeatAccount& seat = account.seats[of.index()];
  const absl::Duration per_move = setup.time_control.per_move * (account.lengthened ? 2 : 1);
  absl::Duration limit = std::min(per_move, seat.bank_left);
  if (!seat.moved) limit += setup.time_control.first_move;
  return std::min(limit, setup.time_control.match - account.used);
}

absl::Duration Witness::StallQuota(const Account& account, const match::Setup& setup,
                                   Seat of) const {
  return std::min(setup.time_control.stall_per_move, account.seats[of.index()].stall_left);
}

absl::Duration Witness::StallBetween(Instant from, Instant until, absl::Duration beyond) const {
  absl::Duration total;
  for (const Stretch& stall : stalls_) {
    const Instant begin = std::max(stall.from, from);
    const Instant end = std::min(stall.until + beyond, until);
    if (begin < end) total += end - begin;
  }
  return total;
}

absl::Duration Witness::LongestStallBetween(Instant from, Instant until,
                                            absl::Duration beyond) const {
  absl::Duration longest;
  for (const Stretch& stall : stalls_) {
    const Instant begin = std::max(stall.from, from);
    const Instant end = std::min(stall.until + beyond, until);
    if (begin < end) longest = std::max(longest, end - begin);
  }
  return longest;
}

absl::Duration Witness::MissedBetween(Instant from, Instant until) const {
  absl::Duration total;
  for (const Stretch& stall : stalls_) {
    const Instant begin = std::max(stall.from, from);
    const Instant end = std::min(stall.until, until);
    if (begin < end) total += std::min(kUnseen, end - begin);
  }
  return total;
}

// A turn is played by the first reply to it that is legal, as the bot sent it.
void Witness::CheckReply(const Account& account, const match::Setup& setup,
                         const match::Played& played) {
  const match::Timing& timing = *played.timing;
  const ReplyRead* const reply = ReplyBefore(account, played.seat, timing);
  if (reply == nullptr) {
    return Fail(account, absl::StrCat("turn ", played.number, " was played without a reply to it"));
  }
  if (!reply->wild && reply->move != played.move) {
    Fail(account, absl::StrCat("turn ", played.number, " is not what the bot replied"));
  }
  // A bot that came back before its opponents may reply to a turn that it knows of and that was not
  // asked anew yet: if the reply is still to be taken up when it is, it took no time.
  const Instant read = std::max(reply->read, account.due_since);
  if (account.due_known && account.due_since + timing.read != read) {
    Fail(account, absl::StrCat("turn ", played.number, " was read ",
                               absl::FormatDuration(reply->read - account.due_since),
                               " after it was due, and its record says ",
                               absl::FormatDuration(timing.read)));
  }
  const absl::Duration ran = timing.read - timing.started - timing.paused - timing.credit;
  if (account.due_known) {
    const absl::Duration stalled =
        account.judging + StallBetween(account.due_since + timing.started, read, kLooksWithin);
    if (ran > MoveLimit(account, setup, played.seat) + stalled) {
      Fail(account, absl::StrCat("turn ", played.number, " was played by a reply that was late"));
    }
  }
  const absl::Duration used = std::max(absl::ZeroDuration(), ran - timing.stalled);
  if (played.used != used) {
    Fail(account,
         absl::StrCat("turn ", played.number, " was charged ", absl::FormatDuration(played.used),
                      ", and the bot had ", absl::FormatDuration(used)));
  }
}

void Witness::CheckSubstitute(Account* account, const match::Setup& setup,
                              const match::Played& played) {
  Account::SeatAccount& seat = account->seats[played.seat.index()];
  if (played.used > MoveLimit(*account, setup, played.seat)) {
    Fail(*account, "a seat was charged more than it may use, for a turn that was played for it");
  }
  if (played.substituted == match::Cause::kIllegal) {
    if (!account->illegal_forgiven) Fail(*account, "the referee played for no reason");
    if (++seat.illegal_moves > setup.policies.on_illegal.max_strikes) {
      Fail(*account, "a seat was forgiven too often");
    }
    return;
  }
  if (setup.policies.on_timeout.action != match::FaultPolicy::Action::kSubstitute ||
      ++seat.timeouts > setup.policies.on_timeout.max_strikes) {
    Fail(*account, "a time loss was forgiven that was not to be");
  }
  CheckTimeLoss(*account, setup, played.seat, *played.timing);
}

// The clock starts when the first request is handed over, or when there is nobody to hand it to;
// when the link did not take it for long, it started when the turn was due.
void Witness::CheckStart(const Account& account, Seat of, const match::Timing& timing) {
  const Account::SeatAccount& seat = account.seats[of.index()];
  const Instant due = account.due_since;
  const Instant started = due + timing.started;
  // A bot may guess, and answer before it is asked; or give up: no time has been used then.
  Instant latest = std::min(seat.handed_over, std::max(seat.answered, due));
  latest = std::min(latest, due + timing.read);
  if (latest > due + limits::kHandoverLimit) latest = due;
  const Instant earliest = seat.unlinked ? due : latest;
  if (seat.unlinked) latest = std::max(latest, due + limits::kHandoverLimit);
  if (started < earliest) {
    FailTurn(account, of,
             absl::StrCat("its clock started ", absl::FormatDuration(earliest - started),
                          " before it had the request"));
  }
  if (started > latest) {
    FailTurn(account, of,
             absl::StrCat("its clock started ", absl::FormatDuration(started - latest),
                          " after it had the request"));
  }
}

// The clock stands still only while the link is lost, and what is given back are stalls.
void Witness::CheckTiming(const Account& account, const match::Setup& setup, Seat of,
                          const match::Timing& timing) {
  const Account::SeatAccount& seat = account.seats[of.index()];
  if (account.due_known) {
    CheckStart(account, of, timing);
    absl::Duration away = seat.away;
    if (!linked_[account.bots[of.index()]]) {
      away += queue_->Now() - std::max(seat.unlinked_at, account.due_since);
    }
    if (timing.paused > away) {
      FailTurn(account, of,
               absl::StrCat("its clock stood still for ", absl::FormatDuration(timing.paused),
                            ", and its link was lost for ", absl::FormatDuration(away)));
    }
    const absl::Duration stalled =
        account.judging + StallBetween(account.due_since + timing.started,
                                       account.due_since + timing.read, kLooksWithin);
    if (timing.stalled > stalled) {
      FailTurn(account, of,
               absl::StrCat(absl::FormatDuration(timing.stalled), " were given back, of stalls of ",
                            absl::FormatDuration(stalled)));
    }
  }
  if (timing.stalls_charged && timing.stalled > absl::ZeroDuration()) {
    FailTurn(account, of, "what was charged to it was given back");
  }
  if (timing.stalled > StallQuota(account, setup, of))
    FailTurn(account, of, "too much was given back");
  if (timing.paused > seat.grace_left) FailTurn(account, of, "its clock stood still for too long");
  if (timing.credit > std::min({seat.lag_left, setup.policies.lag.per_move, seat.round_trip})) {
    FailTurn(account, of, "too much was credited");
  }
}

// Only a stall beyond the quota of a move makes a match void, and only for a reply that is late by
// no more.
void Witness::CheckNoContest(const Account& account, const match::Setup& setup,
                             const match::NoContest& no_contest) {
  const match::Timing& timing = no_contest.timing;
  if (!account.due_known) return;
  const Instant started = account.due_since + timing.started;
  const absl::Duration stalled = std::max(
      account.judging, LongestStallBetween(started, account.due_since + timing.read, kLooksWithin));
  const absl::Duration ran = timing.read - timing.started - timing.paused - timing.credit;
  const absl::Duration late = ran - MoveLimit(account, setup, no_contest.seat);
  if (timing.stalls_charged) Fail(account, "it is void for a stall that was charged to the seat");
  if (stalled <= setup.time_control.stall_per_move) {
    Fail(account, absl::StrCat("it is void for a stall of ", absl::FormatDuration(stalled),
                               ", which is no more than may be given back"));
  }
  if (late > stalled) {
    Fail(account,
         absl::StrCat("it is void for a reply that was late by ", absl::FormatDuration(late),
                      ", and the referee stood still for ", absl::FormatDuration(stalled)));
  }
  if (!HandlesReplyOf(account, no_contest.seat)) Fail(account, "it is void and nobody had replied");
}

void Witness::CheckRanks(const Account& account, const match::Ended& ended) {
  if (ended.ending != match::Ending::kFinished || ended.ranks.empty()) return;
  for (size_t out = 0; out < account.bots.size(); ++out) {
    for (size_t in = 0; in < account.bots.size(); ++in) {
      if (!account.seats[out].forfeited || account.seats[in].forfeited) continue;
      if (ended.ranks[out] > ended.ranks[in]) continue;
      Fail(account, absl::StrCat("seat ", out, " was taken out and ranks no lower than seat ", in,
                                 ", which was not"));
    }
  }
}

// The time was over, this was found soon, and no reply had come in time.
void Witness::CheckTimeLoss(const Account& account, const match::Setup& setup, Seat of,
                            const match::Timing& timing) {
  if (!account.due_known) return;
  const std::string turn = absl::StrCat("seat ", of.index(), " in turn ", account.played + 1, " ");
  const absl::Duration limit = MoveLimit(account, setup, of);
  const Instant started = account.due_since + timing.started;
  const Instant time_out = started + (limit + timing.paused + timing.credit + timing.stalled);
  const absl::Duration stalled = StallBetween(account.due_since, queue_->Now());
  // In a block it may be written long after it was found.
  const Instant found = account.rolls != nullptr ? account.due_since + timing.taken : queue_->Now();
  if (found <= time_out) {
    Fail(account,
         absl::StrCat(turn, "lost on time with ", absl::FormatDuration(time_out - found),
                      " left of ", absl::FormatDuration(limit),
                      ", its clock having stood still for ", absl::FormatDuration(timing.paused),
                      " and ", absl::FormatDuration(timing.credit), " being credited"));
  }
  if (found > time_out + (kFoundWithin + 2 * stalled)) {
    Fail(account, absl::StrCat(turn, "lost on time, which was found ",
                               absl::FormatDuration(found - time_out), " late"));
  }
  for (const ReplyRead& reply : account.replies) {
    if (reply.seat != of) continue;
    // What the referee can know of its own stalls is not the bot's, up to the quota; one that is
    // longer than that of a move makes the match void.
    const absl::Duration missed = MissedBetween(started, reply.read);
    const absl::Duration longest = LongestStallBetween(started, reply.read) - missed;
    absl::Duration excused =
        std::min(StallBetween(started, reply.read) - missed, StallQuota(account, setup, of));
    if (longest > setup.time_control.stall_per_move) excused = std::max(excused, longest);
    if (timing.stalls_charged) excused = absl::ZeroDuration();
    if (reply.read <= started + (limit + excused)) {
      Fail(account, turn + "lost on time after its reply was read in time");
    }
  }
}

}  // namespace referee::simulation
