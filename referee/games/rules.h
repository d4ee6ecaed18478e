// Registry of the built-in games, without protobuf.
//
// The list is in rules.cc. A program that plays matches by itself, such as a bot that searches,
// links only referee::rules: no gRPC, no protobuf, no referee.
//
//   std::shared_ptr<const Game> game = MakeGame("hypnosia", 2, {}).value();
//   std::unique_ptr<State> state = game->ParsePosition(text).value();
//   std::vector<Move> legal;
//   state->LegalMoves(&legal);
//   state->Apply(legal[0]);
//
// A referee makes its games with catalogue.h: games made here do not convert to protobuf.
//
// Thread-safe. game.h has the contract. <game>/state.h and <game>/notation.h have what a game
// offers beyond the contract.
#ifndef REFEREE_GAMES_RULES_H_
#define REFEREE_GAMES_RULES_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "referee/games/game.h"

namespace referee::games {

// All games, sorted by name. The pointers stay valid for ever.
absl::Span<const GameType* const> GameTypes();

// Returns NotFound, with the known names, if no game has this name.
absl::StatusOr<const GameType*> FindType(absl::string_view name);

// Calls FindType, then Create. Options that are not given get their defaults.
absl::StatusOr<std::shared_ptr<const Game>> MakeGame(absl::string_view name, int seats,
                                                     absl::Span<const Option> options);

}  // namespace referee::games

#endif  // REFEREE_GAMES_RULES_H_
