#include "referee/replay/terms_wire.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"

namespace referee::replay {
namespace {

using Action = match::FaultPolicy::Action;
using Substitute = match::FaultPolicy::Substitute;

constexpr int64_t kNanosPerSecond = 1'000'000'000;

// Reads a duration from `least` to `most`.
absl::Status FromWire(absl::string_view field, const google::protobuf::Duration& duration,
                      absl::Duration least, absl::Duration most, absl::Duration* out) {
  const bool valid = duration.nanos() >= 0 && duration.nanos() < kNanosPerSecond;
  *out = absl::Seconds(duration.seconds()) + absl::Nanoseconds(duration.nanos());
  if (valid && *out >= least && *out <= most) return absl::OkStatus();
  if (!valid) {
    return BadValue(absl::StrCat(field, ".nanos"), absl::StrCat(duration.nanos()),
                    absl::StrCat("a number from 0 to ", kNanosPerSecond - 1));
  }
  return BadValue(field, absl::FormatDuration(*out),
                  absl::StrCat("a duration of ", absl::FormatDuration(least), " to ",
                               absl::FormatDuration(most)));
}

absl::Status ReadAction(absl::string_view field, v1::FaultAction wire, Action* out) {
  switch (wire) {
    case v1::FAULT_ACTION_UNSPECIFIED:
    case v1::FAULT_ACTION_FORFEIT:
      *out = Action::kForfeit;
      return absl::OkStatus();
    case v1::FAULT_ACTION_SUBSTITUTE:
      *out = Action::kSubstitute;
      return absl::OkStatus();
    case v1::FAULT_ACTION_RETRY:
      *out = Action::kRetry;
      return absl::OkStatus();
    default:
      return BadValue(absl::StrCat(field, ".action"), absl::StrCat(static_cast<int>(wire)),
                      "FORFEIT, SUBSTITUTE or RETRY");
  }
}

absl::Status ReadSubstitute(absl::string_view field, v1::Substitute wire, Substitute* out) {
  switch (wire) {
    case v1::SUBSTITUTE_UNSPECIFIED:
    case v1::SUBSTITUTE_FIRST:
      *out = Substitute::kFirst;
      return absl::OkStatus();
    case v1::SUBSTITUTE_RANDOM:
      *out = Substitute::kRandom;
      return absl::OkStatus();
    default:
      return BadValue(absl::StrCat(field, ".substitute"), absl::StrCat(static_cast<int>(wire)),
                      "FIRST or RANDOM");
  }
}

// Refuses a value that the action does not use: it would be an unnoticed mistake.
absl::Status CheckUnused(absl::string_view field, bool used, uint32_t value,
                         absl::string_view action) {
  if (used || value == 0) return absl::OkStatus();
  return BadValue(field, absl::StrCat(value), absl::StrCat("left out; it goes with ", action));
}

// Reads a count; 0 leaves `*out` unchanged. Validate checks the range.
void ReadCount(uint32_t wire, int* out) {
  if (wire != 0) *out = static_cast<int>(std::min<uint32_t>(wire, INT32_MAX));
}

absl::Status FromWire(absl::string_view field, const v1::FaultPolicy& wire,
                      match::FaultPolicy* out) {
  absl::Status status = ReadAction(field, wire.action(), &out->action);
  status.Update(ReadSubstitute(field, wire.substitute(), &out->substitute));
  const bool substitutes = out->action == Action::kSubstitute;
  status.Update(CheckUnused(absl::StrCat(field, ".substitute"), substitutes, wire.substitute(),
                            "SUBSTITUTE"));
  status.Update(CheckUnused(absl::StrCat(field, ".max_strikes"), substitutes, wire.max_strikes(),
                            "SUBSTITUTE"));
  status.Update(CheckUnused(absl::StrCat(field, ".max_tries"), out->action == Action::kRetry,
                            wire.max_tries(), "RETRY"));
  ReadCount(wire.max_strikes(), &out->max_strikes);
  ReadCount(wire.max_tries(), &out->max_tries);
  return status;
}

absl::Status FromWire(const v1::LagCompensation& wire, match::LagCompensation* out) {
  absl::Status status = FromWire("policies.lag_compensation.per_move", wire.per_move(),
                                 limits::kMinLagPerMove, limits::kMaxLagPerMove, &out->per_move);
  if (!status.ok()) return status;
  out->per_match = std::min(limits::kDefaultLagMoves * out->per_move, limits::kMaxLagPerMatch);
  if (!wire.has_per_match()) return status;
  return FromWire("policies.lag_compensation.per_match", wire.per_match(), out->per_move,
                  limits::kMaxLagPerMatch, &out->per_match);
}

}  // namespace

void ToWire(const match::FaultPolicy& policy, v1::FaultPolicy* out) {
  switch (policy.action) {
    case Action::kForfeit:
      out->set_action(v1::FAULT_ACTION_FORFEIT);
      return;
    case Action::kSubstitute:
      out->set_action(v1::FAULT_ACTION_SUBSTITUTE);
      out->set_substitute(policy.substitute == Substitute::kRandom ? v1::SUBSTITUTE_RANDOM
                                                                   : v1::SUBSTITUTE_FIRST);
      out->set_max_strikes(static_cast<uint32_t>(policy.max_strikes));
      return;
    case Action::kRetry:
      out->set_action(v1::FAULT_ACTION_RETRY);
      out->set_max_tries(static_cast<uint32_t>(policy.max_tries));
      return;
  }
}

void ToWire(absl::Duration duration, google::protobuf::Duration* out) {
  const int64_t nanos = absl::ToInt64Nanoseconds(duration);
  out->set_seconds(nanos / kNanosPerSecond);
  out->set_nanos(static_cast<int32_t>(nanos % kNanosPerSecond));
}

v1::ForfeitCause ToWire(match::Cause cause) {
  switch (cause) {
    case match::Cause::kTimeout:
      return v1::FORFEIT_CAUSE_TIMEOUT;
    case match::Cause::kIllegal:
      return v1::FORFEIT_CAUSE_ILLEGAL;
    case match::Cause::kDisconnected:
      return v1::FORFEIT_CAUSE_DISCONNECTED;
    case match::Cause::kResigned:
      return v1::FORFEIT_CAUSE_RESIGNED;
  }
  return v1::FORFEIT_CAUSE_UNSPECIFIED;
}

v1::MatchState ToWire(match::Ending ending) {
  switch (ending) {
    case match::Ending::kFinished:
      return v1::MATCH_STATE_FINISHED;
    case match::Ending::kVoid:
      return v1::MATCH_STATE_VOID;
    case match::Ending::kCancelled:
      return v1::MATCH_STATE_CANCELLED;
  }
  return v1::MATCH_STATE_UNSPECIFIED;
}

void ToWire(const match::TimeControl& time_control, v1::TimeControl* out) {
  const match::TimeControl usual;
  if (time_control.has_per_move()) ToWire(time_control.per_move, out->mutable_per_move());
  if (time_control.has_bank()) {
    ToWire(time_control.bank, out->mutable_bank());
    ToWire(time_control.increment, out->mutable_increment());
  }
  if (time_control.first_move != usual.first_move) {
    ToWire(time_control.first_move, out->mutable_first_move());
  }
  if (time_control.ready != usual.ready) ToWire(time_control.ready, out->mutable_ready());
  if (time_control.has_match()) ToWire(time_control.match, out->mutable_match());
  if (time_control.stall_per_move != usual.stall_per_move) {
    ToWire(time_control.stall_per_move, out->mutable_stall_per_move());
  }
  if (time_control.stall_per_match != match::DefaultStallPerMatch(time_control.stall_per_move)) {
    ToWire(time_control.stall_per_match, out->mutable_stall_per_match());
  }
}

void ToWire(const match::Policies& policies, v1::Policies* out) {
  const match::Policies usual;
  if (!(policies.on_timeout == usual.on_timeout)) {
    ToWire(policies.on_timeout, out->mutable_on_timeout());
  }
  if (!(policies.on_illegal == usual.on_illegal)) {
    ToWire(policies.on_illegal, out->mutable_on_illegal());
  }
  if (policies.link_grace != usual.link_grace) {
    ToWire(policies.link_grace, out->mutable_link_grace());
  }
  if (policies.lag == usual.lag) return;
  ToWire(policies.lag.per_move, out->mutable_lag_compensation()->mutable_per_move());
  ToWire(policies.lag.per_match, out->mutable_lag_compensation()->mutable_per_match());
}

absl::StatusOr<absl::Duration> FromWire(absl::string_view field,
                                        const google::protobuf::Duration& duration,
                                        absl::Duration least, absl::Duration most) {
  absl::Duration read;
  if (absl::Status s = FromWire(field, duration, least, most, &read); !s.ok()) return s;
  return read;
}

absl::StatusOr<match::TimeControl> FromWire(const v1::TimeControl& wire) {
  const match::TimeControl time_control = KnownFromWire(wire);
  absl::Status status;
  const auto check = [&](absl::string_view field, bool given,
                         const google::protobuf::Duration& duration, absl::Duration least,
                         absl::Duration most) {
    absl::Duration read;
    if (given) status.Update(FromWire(field, duration, least, most, &read));
  };
  const absl::Duration zero = absl::ZeroDuration();
  check("time_control.per_move", wire.has_per_move(), wire.per_move(), limits::kMinPerMove,
        limits::kMaxPerMove);
  check("time_control.bank", wire.has_bank(), wire.bank(), limits::kMinPerMove, limits::kMaxBank);
  check("time_control.increment", wire.has_increment(), wire.increment(), zero,
        limits::kMaxPerMove);
  check("time_control.first_move", wire.has_first_move(), wire.first_move(), zero,
        limits::kMaxPerMove);
  check("time_control.ready", wire.has_ready(), wire.ready(), limits::kMinPerMove,
        limits::kMaxReadyLimit);
  check("time_control.match", wire.has_match(), wire.match(), limits::kMinPerMove,
        limits::kMaxMatchTime);
  check("time_control.stall_per_move", wire.has_stall_per_move(), wire.stall_per_move(), zero,
        limits::kMaxStallPerMove);
  check("time_control.stall_per_match", wire.has_stall_per_match(), wire.stall_per_match(),
        time_control.stall_per_move, limits::kMaxStallPerMatch);
  if (!status.ok()) return status;
  // Checks that concern several fields.
  if (status = match::Validate(time_control); !status.ok()) return At("time_control", status);
  return time_control;
}

absl::StatusOr<match::Policies> FromWire(const v1::Policies& wire) {
  match::Policies policies;
  absl::Status status = FromWire("policies.on_timeout", wire.on_timeout(), &policies.on_timeout);
  status.Update(FromWire("policies.on_illegal", wire.on_illegal(), &policies.on_illegal));
  if (wire.has_link_grace()) {
    status.Update(FromWire("policies.link_grace", wire.link_grace(), absl::ZeroDuration(),
                           limits::kMaxLinkGrace, &policies.link_grace));
  }
  if (wire.has_lag_compensation()) {
    status.Update(FromWire(wire.lag_compensation(), &policies.lag));
  }
  if (!status.ok()) return status;
  if (status = match::Validate(policies); !status.ok()) return At("policies", status);
  return policies;
}

absl::Duration KnownFromWire(const google::protobuf::Duration& duration) {
  return absl::Seconds(duration.seconds()) + absl::Nanoseconds(duration.nanos());
}

match::TimeControl KnownFromWire(const v1::TimeControl& wire) {
  match::TimeControl time;
  time.per_move = wire.has_per_move() ? KnownFromWire(wire.per_move()) : absl::InfiniteDuration();
  if (wire.has_bank()) time.bank = KnownFromWire(wire.bank());
  time.increment = KnownFromWire(wire.increment());
  time.first_move = KnownFromWire(wire.first_move());
  if (wire.has_ready()) time.ready = KnownFromWire(wire.ready());
  if (wire.has_match()) time.match = KnownFromWire(wire.match());
  if (wire.has_stall_per_move()) time.stall_per_move = KnownFromWire(wire.stall_per_move());
  time.stall_per_match = wire.has_stall_per_match()
                             ? KnownFromWire(wire.stall_per_match())
                             : match::DefaultStallPerMatch(time.stall_per_move);
  return time;
}

}  // namespace referee::replay
