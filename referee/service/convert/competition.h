// Converts competitions between the host's and store's values and the protocol's messages.
#ifndef REFEREE_SERVICE_CONVERT_COMPETITION_H_
#define REFEREE_SERVICE_CONVERT_COMPETITION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "proto/referee/v1/competition_service.pb.h"
#include "referee/competition/competitions.h"
#include "referee/competition/rating_history.h"
#include "referee/rating/sprt.h"
#include "referee/schedule/spec.h"
#include "referee/store/spec_wire.h"
#include "referee/store/store.h"

namespace referee::service {

using store::CountFromWire;
using store::FromWire;
using store::ToWire;

// --- From the wire ---

// Converts a requested spec; unset fields stay unset. Returns InvalidArgument that names a field
// which a spec cannot express. competition::Validate checks the rest.
absl::StatusOr<schedule::Spec> FromWire(const v1::CompetitionSpec& wire);

// Changes the fields of a spec that the request's mask names. Returns InvalidArgument if the mask
// is empty or names a field that cannot change, and the errors of store::SpecFromWire.
absl::Status Update(const v1::UpdateCompetitionRequest& request, schedule::Spec* spec);
// Parses a page token made by TokenOf. Returns nullopt if it is invalid.
absl::optional<competition::TestCursor> TestCursorFromToken(absl::string_view token);

// The names of a competition's entrants, by number, and labels that tell entrants of one bot apart.
struct EntrantNames {
  absl::Span<const std::string> names;
  absl::Span<const store::EntrantLabel> labels;
};

// --- To the wire. Each overwrites `out`, which must be empty. ---

// Leaves out the options of an unknown game.
void ToWire(const schedule::Spec& spec, v1::CompetitionSpec* out);
// Converts a competition as it is at `now`.
void ToWire(const competition::CompetitionView& view, absl::Time now, v1::Competition* out);
// Like ToWire, without the potentially large parts: entrants, and options that are files.
void ListedToWire(competition::CompetitionView view, absl::Time now, v1::Competition* out);
void ToWire(const competition::TestView& test, v1::TestProgress* out);
void ToWire(const competition::TestPoint& point, v1::TestPoint* out);
void ToWire(const competition::RatingPage::History& history, v1::RatingHistory* out);
// Makes a page token: decimal numbers separated by dots.
std::string TokenOf(const competition::TestCursor& cursor);
void ToWire(const store::Conduct& conduct, v1::Conduct* out);
void ToWire(const competition::Standing& standing, v1::Standing* out);
void ToWire(const store::Block& block, const EntrantNames& entrants, v1::Block* out);
void ToWire(const competition::PairResult& pair, const EntrantNames& entrants, v1::PairTotal* out);
// `entrants`: names, by number.
void ToWire(const competition::RoundLine& line, absl::Span<const std::string> entrants,
            v1::RoundPairing* out);

}  // namespace referee::service

#endif  // REFEREE_SERVICE_CONVERT_COMPETITION_H_
