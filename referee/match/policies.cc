#include "referee/match/policies.h"

#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/match/time_control.h"

namespace referee::match {
namespace {

constexpr absl::string_view kFaultForms =
    "forfeit, substitute[:first|:random][:STRIKES] or retry[:TRIES]";
constexpr absl::string_view kTimeoutForms =
    "forfeit or substitute[:first|:random][:STRIKES]: time that has run out cannot be tried again";
constexpr absl::string_view kLinkForms = "run, or grace:DURATION of at most 24h, such as grace:30s";
constexpr absl::string_view kLagForms =
    "none, or PER_MOVE[/PER_MATCH] of at most 10s and 24h, such as 20ms or 20ms/2s";

absl::Status CheckCount(absl::string_view field, int value, int least, int most) {
  if (value >= least && value <= most) return absl::OkStatus();
  return BadValue(field, absl::StrCat(value), absl::StrCat("a number from ", least, " to ", most));
}

absl::Status Validate(absl::string_view field, const FaultPolicy& policy) {
  switch (policy.action) {
    case FaultPolicy::Action::kForfeit:
      return absl::OkStatus();
    case FaultPolicy::Action::kSubstitute:
      return CheckCount(absl::StrCat(field, ", strikes"), policy.max_strikes, 1,
                        limits::kMaxStrikes);
    case FaultPolicy::Action::kRetry:
      return CheckCount(absl::StrCat(field, ", tries"), policy.max_tries, 2, limits::kMaxTries);
  }
  return absl::InternalError("not a fault policy");
}

}  // namespace

bool operator==(const FaultPolicy& a, const FaultPolicy& b) {
  if (a.action != b.action) return false;
  if (a.action == FaultPolicy::Action::kSubstitute) {
    return a.substitute == b.substitute && a.max_strikes == b.max_strikes;
  }
  return a.action != FaultPolicy::Action::kRetry || a.max_tries == b.max_tries;
}

absl::Status Validate(const Policies& policies) {
  if (policies.on_timeout.action == FaultPolicy::Action::kRetry) {
    return BadValue("on_timeout", "retry", kTimeoutForms);
  }
  if (absl::Status s = Validate("on_timeout", policies.on_timeout); !s.ok()) return s;
  if (absl::Status s = Validate("on_illegal", policies.on_illegal); !s.ok()) return s;
  if (absl::Status s = CheckDuration("link grace", policies.link_grace, absl::ZeroDuration(),
                                     limits::kMaxLinkGrace);
      !s.ok()) {
    return s;
  }
  const LagCompensation& lag = policies.lag;
  if (lag == LagCompensation()) return absl::OkStatus();
  if (absl::Status s = CheckDuration("lag compensation, a move", lag.per_move,
                                     limits::kMinLagPerMove, limits::kMaxLagPerMove);
      !s.ok()) {
    return s;
  }
  return CheckDuration("lag compensation, a match", lag.per_match, lag.per_move,
                       limits::kMaxLagPerMatch);
}

namespace {

// `forms` describes the allowed values in errors.
absl::StatusOr<FaultPolicy> ParsePolicy(absl::string_view field, absl::string_view text,
                                        absl::string_view forms) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ':');
  FaultPolicy policy;
  size_t next = 1;
  int* count = nullptr;
  if (parts[0] == "substitute") {
    policy.action = FaultPolicy::Action::kSubstitute;
    count = &policy.max_strikes;
    if (parts.size() > next && (parts[next] == "first" || parts[next] == "random")) {
      policy.substitute = parts[next] == "random" ? FaultPolicy::Substitute::kRandom
                                                  : FaultPolicy::Substitute::kFirst;
      ++next;
    }
  } else if (parts[0] == "retry") {
    policy.action = FaultPolicy::Action::kRetry;
    count = &policy.max_tries;
  } else if (parts[0] != "forfeit") {
    return BadValue(field, text, forms);
  }
  if (parts.size() > next && count != nullptr && absl::SimpleAtoi(parts[next], count)) ++next;
  if (parts.size() > next) return BadValue(field, text, forms);
  if (absl::Status s = Validate(field, policy); !s.ok()) return s;
  return policy;
}

}  // namespace

absl::StatusOr<FaultPolicy> ParseFaultPolicy(absl::string_view field, absl::string_view text) {
  return ParsePolicy(field, text, kFaultForms);
}

absl::StatusOr<FaultPolicy> ParseTimeoutPolicy(absl::string_view field, absl::string_view text) {
  absl::StatusOr<FaultPolicy> policy = ParsePolicy(field, text, kTimeoutForms);
  if (!policy.ok() || policy->action != FaultPolicy::Action::kRetry) return policy;
  return BadValue(field, text, kTimeoutForms);
}

absl::StatusOr<absl::Duration> ParseLinkPolicy(absl::string_view field, absl::string_view text) {
  absl::Duration grace;
  if (text == "run") return grace;
  absl::string_view duration = text;
  if (!absl::ConsumePrefix(&duration, "grace:") || !ReadDuration(duration, &grace) ||
      grace <= absl::ZeroDuration() || grace > limits::kMaxLinkGrace) {
    return BadValue(field, text, kLinkForms);
  }
  return grace;
}

absl::StatusOr<LagCompensation> ParseLagCompensation(absl::string_view field,
                                                     absl::string_view text) {
  LagCompensation lag;
  if (text == "none") return lag;
  const std::vector<absl::string_view> parts = absl::StrSplit(text, '/');
  if (parts.size() > 2 || !ReadDuration(parts[0], &lag.per_move)) {
    return BadValue(field, text, kLagForms);
  }
  lag.per_match = lag.per_move * limits::kDefaultLagMoves;
  if (parts.size() == 2 && !ReadDuration(parts[1], &lag.per_match)) {
    return BadValue(field, text, kLagForms);
  }
  Policies policies;
  policies.lag = lag;
  if (lag.per_move == absl::ZeroDuration() || !Validate(policies).ok()) {
    return BadValue(field, text, kLagForms);
  }
  return lag;
}

std::string FaultPolicyText(const FaultPolicy& policy) {
  const FaultPolicy usual;
  std::string text;
  switch (policy.action) {
    case FaultPolicy::Action::kForfeit:
      return "forfeit";
    case FaultPolicy::Action::kSubstitute:
      text = "substitute";
      if (policy.substitute == FaultPolicy::Substitute::kRandom) absl::StrAppend(&text, ":random");
      if (policy.max_strikes != usual.max_strikes) absl::StrAppend(&text, ":", policy.max_strikes);
      return text;
    case FaultPolicy::Action::kRetry:
      text = "retry";
      if (policy.max_tries != usual.max_tries) absl::StrAppend(&text, ":", policy.max_tries);
      return text;
  }
  return text;
}

std::string LinkPolicyText(absl::Duration link_grace) {
  if (link_grace == absl::ZeroDuration()) return "run";
  return absl::StrCat("grace:", absl::FormatDuration(link_grace));
}

std::string LagCompensationText(const LagCompensation& lag) {
  if (lag.per_move == absl::ZeroDuration()) return "none";
  std::string text = absl::FormatDuration(lag.per_move);
  if (lag.per_match != lag.per_move * limits::kDefaultLagMoves) {
    absl::StrAppend(&text, "/", absl::FormatDuration(lag.per_match));
  }
  return text;
}

absl::StatusOr<Policies> ParsePolicies(absl::string_view on_timeout, absl::string_view on_illegal,
                                       absl::string_view on_lost_link,
                                       absl::string_view lag_compensation) {
  Policies policies;
  absl::Status status;
  const auto read = [&](absl::string_view text, auto parse, absl::string_view field, auto* out) {
    if (text.empty() || !status.ok()) return;
    auto parsed = parse(field, text);
    status = parsed.status();
    if (parsed.ok()) *out = *parsed;
  };
  read(on_timeout, &ParseTimeoutPolicy, "on_timeout", &policies.on_timeout);
  read(on_illegal, &ParseFaultPolicy, "on_illegal", &policies.on_illegal);
  read(on_lost_link, &ParseLinkPolicy, "on_lost_link", &policies.link_grace);
  read(lag_compensation, &ParseLagCompensation, "lag_compensation", &policies.lag);
  if (status.ok()) status = Validate(policies);
  if (!status.ok()) return status;
  return policies;
}

}  // namespace referee::match
