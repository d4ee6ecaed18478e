// Selects and rescales lines of a competition's standings: --anchor and --min-blocks. Pure.
#ifndef REFEREE_CTL_COMPETITION_SHOWN_STANDINGS_H_
#define REFEREE_CTL_COMPETITION_SHOWN_STANDINGS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "proto/referee/v1/competition_service.pb.h"

namespace referee::ctl {

// A bot whose rating is set to a given value, in Elo.
struct Anchor {
  std::string bot;
  double elo = 0;
};

// Parses "BOT=ELO"; the name ends at the last "=". Returns InvalidArgument that names --anchor.
absl::StatusOr<Anchor> ParseAnchor(absl::string_view text);

struct ShownStandings {
  absl::optional<Anchor> anchor;
  uint64_t min_blocks = 0;  // the fewest counted blocks of a shown bot
};

// Shifts all fitted ratings so that the anchor gets its value. Errors stay unchanged: they are
// distances from the mean of all bots. Then removes bots with too few blocks. Ranks stay; a line
// loses its superiority if the next line is removed. Returns a description in whole lines; empty if
// nothing changed. If the anchor has no rating in the table, returns InvalidArgument that names
// --anchor and changes nothing.
absl::StatusOr<std::string> Choose(const ShownStandings& shown, v1::GetStandingsResponse* table);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_COMPETITION_SHOWN_STANDINGS_H_
