// Converts the spec of a competition to and from its protocol message.
//
// The message is sent, stored and shown.
#ifndef REFEREE_STORE_SPEC_WIRE_H_
#define REFEREE_STORE_SPEC_WIRE_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/referee/v1/competition.pb.h"
#include "referee/dice/dice.h"
#include "referee/rating/sprt.h"
#include "referee/schedule/spec.h"

namespace referee::store {

// Converts a message to a spec; missing fields get their defaults, or stay unset. Reads options by
// name and value only; without them the game is empty. Returns InvalidArgument that names a field
// that a spec cannot express; schedule::Validate checks the rest.
absl::StatusOr<schedule::Spec> SpecFromWire(const v1::CompetitionSpec& wire);
// Returns InvalidArgument that lists the formats.
absl::StatusOr<schedule::Format> FromWire(v1::CompetitionFormat wire);
rating::SprtTerms FromWire(const v1::SprtTerms& wire);
// Converts a number; schedule::Validate refuses values out of range.
int CountFromWire(uint32_t count);

// Each of these overwrites `out`, which is empty.

// Sets the whole spec, with options by name and value. SpecFromWire reads the same spec, except the
// absence limit of a ladder, which has none. Returns InvalidArgument when the time control or the
// policies are not in their notations; `out` then lacks these.
absl::Status SpecToWire(const schedule::Spec& spec, v1::CompetitionSpec* out);
// Returns SHA-256 of the message, to compare specs. Returns the errors of SpecToWire.
absl::StatusOr<dice::Bytes32> SpecHash(const schedule::Spec& spec);
// Sets only the tie-breaks.
void ToWire(const std::vector<schedule::TieBreak>& tie_breaks, v1::CompetitionSpec* out);
v1::TieBreak ToWire(schedule::TieBreak tie_break);
void ToWire(const rating::SprtTerms& terms, v1::SprtTerms* out);

}  // namespace referee::store

#endif  // REFEREE_STORE_SPEC_WIRE_H_
