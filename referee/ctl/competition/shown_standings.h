// Which lines of a competition's standings are shown, and on which scale: --anchor and
// --min-blocks. Pure.
#ifndef REFEREE_CTL_COMPETITION_SHOWN_STANDINGS_H_
#define REFEREE_CTL_COMPETITION_SHOWN_STANDINGS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "proto/referee/v1/competition_service.pb.h"

namespace referee::ctl {

// A bot that is to have this rating, in Elo.
struct Anchor {
  std::string bot;
  double elo = 0;
};

// Reads "BOT=ELO": the name is all before the last "=". Returns InvalidArgument that names
// --anchor.
absl::StatusOr<Anchor> ParseAnchor(absl::string_view text);

struct ShownStandings {
  absl::optional<Anchor> anchor;
  uint64_t min_blocks = 0;  // that count for a bot that is shown
};

// Moves all fitted ratings by as much as brings the anchor to its own. Errors stay as they are:
// those of distances from the mean of all bots. Then takes out the bots with too few blocks; ranks
// stay, and a line has no superiority any more when the one after it is gone. Returns what was
// done, for people, in whole lines; empty if nothing was. Returns InvalidArgument that names
// --anchor, and changes nothing, unless that bot has a rating in the table.
absl::StatusOr<std::string> Choose(const ShownStandings& shown, v1::GetStandingsResponse* table);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_COMPETITION_SHOWN_STANDINGS_H_
