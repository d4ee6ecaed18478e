// Options of a game: checks their names and fills in defaults, for every game.
#ifndef REFEREE_GAMES_OPTIONS_H_
#define REFEREE_GAMES_OPTIONS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "referee/games/game.h"

namespace referee::games {

// Every option in the order of `specs`: as given, or its default. Returns InvalidArgument when one
// is unknown, given twice or too large; the game checks the values.
absl::StatusOr<std::vector<Option>> SettleOptions(absl::Span<const OptionSpec> specs,
                                                  absl::Span<const Option> given);

// Leaves those out that are empty: what Game::options() and Game::source() return. REQUIRES:
// options that may be empty are empty by default.
std::vector<Option> WithoutEmpty(std::vector<Option> options);

}  // namespace referee::games

#endif  // REFEREE_GAMES_OPTIONS_H_
