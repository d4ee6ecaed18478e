// The games that this referee knows, with their values on the wire: an explicit list, in
// catalogue.cc. The same games without the wire are in rules.h.
#ifndef REFEREE_GAMES_CATALOGUE_H_
#define REFEREE_GAMES_CATALOGUE_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "referee/games/game.h"
#include "referee/games/wire.h"

namespace referee::games {

struct Entry {
  const GameType* type;
  const Wire* wire;
};

// All games, sorted by name. The pointers live for ever.
absl::Span<const Entry> Catalogue();

// Returns NotFound that lists the known names when there is no such game.
absl::StatusOr<Entry> Find(absl::string_view name);

}  // namespace referee::games

#endif  // REFEREE_GAMES_CATALOGUE_H_
