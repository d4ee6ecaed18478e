// Options of any game: checks their names and fills in defaults.
#ifndef REFEREE_GAMES_OPTIONS_H_
#define REFEREE_GAMES_OPTIONS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "referee/games/game.h"

namespace referee::games {

// The option that names the start position, in games that have one: of kind kText, empty by
// default.
inline constexpr absl::string_view kPositionOption = "position";

// Returns every option in the order of `specs`: the given value, or the default. Returns
// InvalidArgument for an option that is unknown, given twice or too large. The game checks the
// values.
absl::StatusOr<std::vector<Option>> SettleOptions(absl::Span<const OptionSpec> specs,
                                                  absl::Span<const Option> given);

// Removes the options that are empty: makes the results of Game::options() and Game::source().
// REQUIRES: options that may be empty are empty by default.
std::vector<Option> WithoutEmpty(std::vector<Option> options);

// The position that kPositionOption names; empty if the option is empty or missing.
std::string StartOf(const Game& game);

// Checks that matches of `game`, of type `type`, can start from given positions. Returns
// InvalidArgument if the game has no kPositionOption, or the option already names a position.
absl::Status CheckTakesPositions(const GameType& type, const Game& game);

// Makes a copy of `game` whose matches start from `position`. Returns the errors of
// CheckTakesPositions and GameType::Create.
absl::StatusOr<std::shared_ptr<const Game>> GameAt(const GameType& type, const Game& game,
                                                   absl::string_view position);

}  // namespace referee::games

#endif  // REFEREE_GAMES_OPTIONS_H_
