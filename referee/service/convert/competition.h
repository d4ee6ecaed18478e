// Converts competitions between the values of the host and the store and the messages of the
// protocol.
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
// that a spec cannot express; competition::Validate checks the rest.
absl::StatusOr<schedule::Spec> FromWire(const v1::CompetitionSpec& wire);

// Changes the fields of a spec that the request's mask names. Returns InvalidArgument when it names
// none, or one that stays as it was made, and what store::SpecFromWire returns.
absl::Status Update(const v1::UpdateCompetitionRequest& request, schedule::Spec* spec);
// None if it is no token that TokenOf makes.
absl::optional<competition::TestCursor> TestCursorFromToken(absl::string_view token);

// The names of a competition's entrants, by number, and what else tells those of one bot apart.
struct EntrantNames {
  absl::Span<const std::string> names;
  absl::Span<const store::EntrantLabel> labels;
};

// --- To the wire. Each overwrites `out`, which is empty. ---

// Options of a game that is not known here are left out.
void ToWire(const schedule::Spec& spec, v1::CompetitionSpec* out);
// Converts a competition as it is at `now`.
void ToWire(const competition::CompetitionView& view, absl::Time now, v1::Competition* out);
// The same without what may be large: entrants, and options that are files.
void ListedToWire(competition::CompetitionView view, absl::Time now, v1::Competition* out);
void ToWire(const competition::TestView& test, v1::TestProgress* out);
void ToWire(const competition::TestPoint& point, v1::TestPoint* out);
void ToWire(const competition::RatingPage::History& history, v1::RatingHistory* out);
// A page token: numbers in decimal, with dots between them.
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
