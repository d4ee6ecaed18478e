// The registry of games that this referee knows, each with its conversion to protobuf: an explicit
// list in catalogue.cc, and the games that the program adds. rules.h has the same list without
// protobuf.
#ifndef REFEREE_GAMES_CATALOGUE_H_
#define REFEREE_GAMES_CATALOGUE_H_

#include <memory>

#include "absl/status/status.h"
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

// All games, sorted by name. The pointers live for ever, the span until a game is added.
absl::Span<const Entry> Catalogue();

// Adds games from outside the tree, for the rest of the process. Call it before any thread starts.
// Returns InvalidArgument that says what is wrong with a type (null, a bad name or one that is
// taken, a value that game.h does not allow); the types after it are not added.
absl::Status AddGames(absl::Span<const std::shared_ptr<const GameType>> types);

// Returns NotFound that lists the known names when there is no such game.
absl::StatusOr<Entry> Find(absl::string_view name);

}  // namespace referee::games

#endif  // REFEREE_GAMES_CATALOGUE_H_
