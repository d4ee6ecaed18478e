#include "referee/replay/untimed_clocks.h"

#include <algorithm>
#include <variant>

#include "absl/strings/str_cat.h"

namespace referee::replay {
namespace {

using match::Cause;

std::string Nanos(absl::Duration duration) {
  if (duration == absl::InfiniteDuration()) return "unlimited time";
  return absl::StrCat(absl::ToInt64Nanoseconds(duration), " ns");
}

bool IsLater(const match::Record& record) {
  if (const auto* const turn = std::get_if<match::Played>(&record)) {
    return turn->timing.has_value() || turn->substituted.has_value();
  }
  if (const auto* const forfeit = std::get_if<match::Forfeited>(&record)) {
    return forfeit->timing.has_value();
  }
  return std::holds_alternative<match::Faulted>(record) ||
         std::holds_alternative<match::NoContest>(record) ||
         std::holds_alternative<match::Resumed>(record);
}

bool HasNoTerms(const match::Setup& setup) {
  const match::Policies& policies = setup.policies;
  return setup.clock_rules == match::ClockRules::kStallsVoid &&
         policies.on_timeout.action == match::FaultPolicy::Action::kForfeit &&
         policies.on_illegal.action == match::FaultPolicy::Action::kForfeit &&
         policies.link_grace == absl::ZeroDuration() &&
         policies.lag.per_move == absl::ZeroDuration() &&
         setup.time_control.first_move == absl::ZeroDuration() &&
         setup.time_control.match == absl::InfiniteDuration() && !setup.block;
}

}  // namespace

bool IsUntimed(const Replay& replay) {
  const auto should_have_times = [](const match::Record& record) {
    const auto* const forfeit = std::get_if<match::Forfeited>(&record);
    return std::holds_alternative<match::Played>(record) ||
           (forfeit != nullptr && forfeit->used > absl::ZeroDuration());
  };
  return HasNoTerms(replay.setup) &&
         std::any_of(replay.records.begin(), replay.records.end(), should_have_times) &&
         std::none_of(replay.records.begin(), replay.records.end(), IsLater);
}

UntimedClocks::UntimedClocks(const match::Setup& setup)
    : time_control_(setup.time_control),
      banks_(static_cast<size_t>(setup.game->seats()), setup.time_control.bank) {}

absl::Duration UntimedClocks::Limit(Seat seat) const {
  return std::min(time_control_.per_move, banks_[static_cast<size_t>(seat.index())]);
}

std::string UntimedClocks::Take(const match::Played& turn, bool pass) {
  const absl::Duration limit = Limit(turn.seat);
  if (turn.used < absl::ZeroDuration()) return "clock: less than no time used";
  if (pass && turn.used > absl::ZeroDuration()) {
    return absl::StrCat("clock: ", Nanos(turn.used), " used for a pass, which costs none");
  }
  if (turn.used > limit) {
    return absl::StrCat("clock: ", Nanos(turn.used), " used, but the limit was ", Nanos(limit));
  }
  absl::Duration& bank = banks_[static_cast<size_t>(turn.seat.index())];
  if (time_control_.has_bank() && !pass) bank += time_control_.increment - turn.used;
  if (turn.bank_left == bank) return "";
  return absl::StrCat("clock: ", Nanos(turn.bank_left), " left in the bank, but it should be ",
                      Nanos(bank));
}

std::string UntimedClocks::Take(const match::Forfeited& forfeit, Seat to_move) {
  const bool mover = forfeit.seat == to_move;
  const bool clocked = forfeit.used != absl::ZeroDuration();
  const absl::Duration limit = Limit(forfeit.seat);
  if (forfeit.used < absl::ZeroDuration()) return "clock: less than no time used";
  if (clocked && !mover) return "time used, but it was not to move";
  switch (forfeit.cause) {
    case Cause::kResigned:
      return "";
    case Cause::kIllegal:
      if (!mover) return "for a move, but it was not to move";
      if (forfeit.used <= limit) return "";
      return absl::StrCat("for a move after ", Nanos(forfeit.used), ", but the limit was ",
                          Nanos(limit));
    case Cause::kTimeout:
    case Cause::kDisconnected:
      // Before the first turn: for not being ready.
      if (forfeit.number == 1 && !clocked) return "";
      if (!mover) return "for its time, but it was not to move";
      if (forfeit.used > limit) return "";
      return absl::StrCat("for its time after ", Nanos(forfeit.used), ", but the limit was ",
                          Nanos(limit));
  }
  return "the cause is unknown";
}

}  // namespace referee::replay
