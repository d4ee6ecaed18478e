// Registry of the games that this referee knows, each with its conversion to protobuf.
//
// It holds the built-in games, listed in catalogue.cc, and the games that the program adds. rules.h
// lists the built-in games without protobuf.
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

// All games, sorted by name. The pointers stay valid for ever, the span until a game is added.
absl::Span<const Entry> Catalogue();

// Adds games from outside the tree, for the rest of the process. Call before any thread starts.
// Returns InvalidArgument for the first bad type: null, a bad or duplicate name, or a value that
// game.h does not allow. The types after it are not added.
absl::Status AddGames(absl::Span<const std::shared_ptr<const GameType>> types);

// Returns NotFound, with the known names, if no game has this name.
absl::StatusOr<Entry> Find(absl::string_view name);

}  // namespace referee::games

#endif  // REFEREE_GAMES_CATALOGUE_H_
