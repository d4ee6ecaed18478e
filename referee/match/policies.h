// The policies of a match: what faults, a lost link and network lag cost, and their notation.
//
// The notation on command lines:
//
//   FAULT  = "forfeit" / "substitute" [":first" / ":random"] [":" STRIKES] / "retry" [":" TRIES]
//   LINK   = "run" / "grace:" DURATION
//   LAG    = "none" / PER_MOVE ["/" PER_MATCH]
//
// Examples: "substitute:random:5", "retry:2", "grace:30s", "20ms/2s". absl::ParseDuration reads the
// durations. All types are plain values.
#ifndef REFEREE_MATCH_POLICIES_H_
#define REFEREE_MATCH_POLICIES_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace referee::match {

// What one kind of fault costs.
struct FaultPolicy {
  enum class Action {
    kForfeit,     // the seat is out
    kSubstitute,  // the referee plays in the bot's place
    kRetry,       // the bot may try again within the same time; only for illegal moves
  };
  enum class Substitute {
    kFirst,   // the first legal move, sorted by notation
    kRandom,  // drawn with the match's dice: Label::Substitute(turn), an index into the legal moves
  };
  Action action = Action::kForfeit;
  Substitute substitute = Substitute::kFirst;  // only for kSubstitute
  // Only for kSubstitute: how many such faults of a seat are forgiven; the next takes it out.
  int max_strikes = 3;
  // Only for kRetry: how many moves a seat may try in a turn; if the last is illegal, it is out.
  int max_tries = 3;

  // Compares only the fields that the action uses.
  friend bool operator==(const FaultPolicy& a, const FaultPolicy& b);
};

// How much network time is not charged: the smoothed minimum of the link's round trip, up to these
// limits.
struct LagCompensation {
  absl::Duration per_move = absl::ZeroDuration();   // zero: no compensation
  absl::Duration per_match = absl::ZeroDuration();  // for one seat

  friend bool operator==(const LagCompensation& a, const LagCompensation& b) {
    return a.per_move == b.per_move && a.per_match == b.per_match;
  }
};

struct Policies {
  FaultPolicy on_timeout;
  FaultPolicy on_illegal;
  // How long a seat's clock stands still while its link is lost, in all of the match.
  absl::Duration link_grace = absl::ZeroDuration();
  LagCompensation lag;

  friend bool operator==(const Policies& a, const Policies& b) {
    return a.on_timeout == b.on_timeout && a.on_illegal == b.on_illegal &&
           a.link_grace == b.link_grace && a.lag == b.lag;
  }
};

// Returns InvalidArgument that names the field if a value is out of its limits (base/limits.h), or
// if on_timeout is kRetry.
absl::Status Validate(const Policies& policies);

// Each parses its notation and validates it. Returns InvalidArgument on failure. `field` names the
// value in errors, such as "--on-timeout".
absl::StatusOr<FaultPolicy> ParseFaultPolicy(absl::string_view field, absl::string_view text);
// As ParseFaultPolicy, but refuses retry: time that has run out cannot be tried again.
absl::StatusOr<FaultPolicy> ParseTimeoutPolicy(absl::string_view field, absl::string_view text);
absl::StatusOr<absl::Duration> ParseLinkPolicy(absl::string_view field, absl::string_view text);
absl::StatusOr<LagCompensation> ParseLagCompensation(absl::string_view field,
                                                     absl::string_view text);

// Parses all policies, and validates them. An empty text stands for the default. Errors name the
// fields as the protocol does: on_timeout, on_illegal, on_lost_link and lag_compensation.
absl::StatusOr<Policies> ParsePolicies(absl::string_view on_timeout, absl::string_view on_illegal,
                                       absl::string_view on_lost_link,
                                       absl::string_view lag_compensation);

// Return the notation in its shortest form, without defaults.
std::string FaultPolicyText(const FaultPolicy& policy);
std::string LinkPolicyText(absl::Duration link_grace);
std::string LagCompensationText(const LagCompensation& lag);

}  // namespace referee::match

#endif  // REFEREE_MATCH_POLICIES_H_
