// Options of a game: checks their names and fills in defaults, for every game.
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

// The option of a game for the position that matches start from, if it has one: a kText, empty by
// default.
inline constexpr absl::string_view kPositionOption = "position";

// Every option in the order of `specs`: as given, or its default. Returns InvalidArgument when one
// is unknown, given twice or too large; the game checks the values.
absl::StatusOr<std::vector<Option>> SettleOptions(absl::Span<const OptionSpec> specs,
                                                  absl::Span<const Option> given);

// Leaves those out that are empty: what Game::options() and Game::source() return. REQUIRES:
// options that may be empty are empty by default.
std::vector<Option> WithoutEmpty(std::vector<Option> options);

// The position that kPositionOption names; empty if it names none.
std::string StartOf(const Game& game);

// Checks that matches of `game`, which is of `type`, can start from one position or another.
// Returns InvalidArgument when it has no kPositionOption, or that names one already.
absl::Status CheckTakesPositions(const GameType& type, const Game& game);

// Makes the game whose matches start from `position`, and which is `game` else. Returns what
// CheckTakesPositions and GameType::Create do.
absl::StatusOr<std::shared_ptr<const Game>> GameAt(const GameType& type, const Game& game,
                                                   absl::string_view position);

}  // namespace referee::games

#endif  // REFEREE_GAMES_OPTIONS_H_
