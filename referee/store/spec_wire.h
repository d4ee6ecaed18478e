// The terms of a competition as the message of the protocol. It is what is sent, kept in the store
// and shown.
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

// The spec that a message asks for; what is not set has its default, or stays unset. Reads options
// in the general form only, by name and value: without these the game is empty. Returns
// InvalidArgument that names a field that a spec cannot express; schedule::Validate checks the
// rest.
absl::StatusOr<schedule::Spec> SpecFromWire(const v1::CompetitionSpec& wire);
// Returns InvalidArgument that lists the formats.
absl::StatusOr<schedule::Format> FromWire(v1::CompetitionFormat wire);
rating::SprtTerms FromWire(const v1::SprtTerms& wire);
// A number; what is out of range stays so, and is refused by who judges it.
int CountFromWire(uint32_t count);

// Each of these overwrites `out`, which is empty.

// All of the spec, with options in the general form: SpecFromWire reads the same from it, but for
// the absence limit of a ladder, which has none. Returns InvalidArgument when the time control or
// the policies are not in their notations; `out` is without these then.
absl::Status SpecToWire(const schedule::Spec& spec, v1::CompetitionSpec* out);
// SHA-256 of that message: whether two specs ask for the same. Returns what SpecToWire does.
absl::StatusOr<dice::Bytes32> SpecHash(const schedule::Spec& spec);
// Only its tie-breaks.
void ToWire(const std::vector<schedule::TieBreak>& tie_breaks, v1::CompetitionSpec* out);
v1::TieBreak ToWire(schedule::TieBreak tie_break);
void ToWire(const rating::SprtTerms& terms, v1::SprtTerms* out);

}  // namespace referee::store

#endif  // REFEREE_STORE_SPEC_WIRE_H_
