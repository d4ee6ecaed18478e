#include "referee/match/record.h"

#include <variant>

namespace referee::match {
namespace {

SeatTime& Of(Seat seat, MatchTimes* times) {
  return times->seats[static_cast<size_t>(seat.index())];
}

void Add(const Timing& timing, SeatTime* seat) {
  seat->given_back += timing.stalled;
  if (timing.link_lost) ++seat->lost_links;
}

}  // namespace

SeatForfeit SeatForfeitOf(const Forfeited& forfeited) {
  const bool unasked = forfeited.cause == Cause::kResigned && forfeited.number == 1 &&
                       !forfeited.timing && !forfeited.interrupts_turn;
  return {forfeited.seat, forfeited.cause, unasked};
}

void CountTime(const Record& record, MatchTimes* times) {
  if (const auto* played = std::get_if<Played>(&record)) {
    SeatTime& seat = Of(played->seat, times);
    if (played->timing) Add(*played->timing, &seat);
    // A substitution has the same cause with and without a link, so check the link here.
    const bool link_lost = played->timing && played->timing->link_lost;
    if (played->substituted == Cause::kTimeout && !link_lost) ++seat.time_losses;
  } else if (const auto* faulted = std::get_if<Faulted>(&record)) {
    if (faulted->timing) Add(*faulted->timing, &Of(faulted->seat, times));
  } else if (const auto* forfeited = std::get_if<Forfeited>(&record)) {
    SeatTime& seat = Of(forfeited->seat, times);
    if (forfeited->timing) Add(*forfeited->timing, &seat);
    if (forfeited->cause == Cause::kTimeout) ++seat.time_losses;
    // The link was lost before the seat's own clock ran.
    if (forfeited->cause == Cause::kDisconnected && !forfeited->timing) ++seat.lost_links;
  } else if (const auto* no_contest = std::get_if<NoContest>(&record)) {
    Add(no_contest->timing, &Of(no_contest->seat, times));
    times->late = no_contest->seat;
  }
}

}  // namespace referee::match
