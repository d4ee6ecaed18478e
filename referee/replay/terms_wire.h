// Converts the terms of a match (time control, policies) and causes of forfeits to and from
// protobuf.
#ifndef REFEREE_REPLAY_TERMS_WIRE_H_
#define REFEREE_REPLAY_TERMS_WIRE_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "proto/referee/v1/match.pb.h"
#include "referee/match/policies.h"
#include "referee/match/record.h"
#include "referee/match/time_control.h"

namespace referee::replay {

// --- To the wire. Each overwrites `out`, which is empty. ---

void ToWire(absl::Duration duration, google::protobuf::Duration* out);
v1::ForfeitCause ToWire(match::Cause cause);
v1::MatchState ToWire(match::Ending ending);
// Sets only fields that differ from the default.
void ToWire(const match::TimeControl& time_control, v1::TimeControl* out);
void ToWire(const match::Policies& policies, v1::Policies* out);
// Sets only the fields that the action uses.
void ToWire(const match::FaultPolicy& policy, v1::FaultPolicy* out);

// --- From the wire. Each returns InvalidArgument that names the field. ---

// Accepts a duration from `least` to `most`.
absl::StatusOr<absl::Duration> FromWire(absl::string_view field,
                                        const google::protobuf::Duration& duration,
                                        absl::Duration least, absl::Duration most);
absl::StatusOr<match::TimeControl> FromWire(const v1::TimeControl& time_control);
absl::StatusOr<match::Policies> FromWire(const v1::Policies& policies);

// --- From a referee's own messages, without checks ---

absl::Duration KnownFromWire(const google::protobuf::Duration& duration);
match::TimeControl KnownFromWire(const v1::TimeControl& time_control);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_TERMS_WIRE_H_
