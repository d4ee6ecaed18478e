// The built-in games, by name: an explicit list, in rules.cc. A program that plays matches by
// itself, such as a bot that searches, links referee::rules only: no gRPC, no protobuf, no referee.
//
//   std::shared_ptr<const Game> game = MakeGame("hypnosia", 2, {}).value();
//   std::unique_ptr<State> state = game->ParsePosition(text).value();
//   std::vector<Move> legal;
//   state->LegalMoves(&legal);
//   state->Apply(legal[0]);
//
// A referee makes its games by catalogue.h instead: those of this list do not convert to protobuf.
//
// Thread-safe; see game.h for the rest of the contract, and <game>/state.h, <game>/notation.h for
// what one game offers beyond it.
#ifndef REFEREE_GAMES_RULES_H_
#define REFEREE_GAMES_RULES_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "referee/games/game.h"

namespace referee::games {

// All games, sorted by name. The pointers live for ever.
absl::Span<const GameType* const> GameTypes();

// Returns NotFound that lists the known names when there is no such game.
absl::StatusOr<const GameType*> FindType(absl::string_view name);

// FindType, then its Create: options that are not given have their defaults.
absl::StatusOr<std::shared_ptr<const Game>> MakeGame(absl::string_view name, int seats,
                                                     absl::Span<const Option> options);

}  // namespace referee::games

#endif  // REFEREE_GAMES_RULES_H_
