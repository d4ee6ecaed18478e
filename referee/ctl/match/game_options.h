// The flags that choose a game: --game name, and its options, --option name=value, where the value
// of a file option is the file's name.
#ifndef REFEREE_CTL_MATCH_GAME_OPTIONS_H_
#define REFEREE_CTL_MATCH_GAME_OPTIONS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "referee/ctl/command.h"
#include "referee/games/game.h"

namespace referee::ctl {

// Adds --game, which is required, and --option. `game` and `options` must outlive the parsing.
void AddGameFlags(CLI::App* command, std::string* game, std::vector<std::string>* options);

// Reads "name=value" texts for a game. Where the game takes a file and the value is not one that is
// built in, the value names a file, whose bytes become the value. Returns InvalidArgument that
// names the option, and the file, when a text has no '=', a name comes twice, or a file cannot be
// read or is refused by the game. GameType::Create checks other values.
absl::StatusOr<std::vector<games::Option>> ReadOptions(const games::GameType& type,
                                                       absl::Span<const std::string> texts);

// Makes the game: ReadOptions, then GameType::Create.
absl::StatusOr<std::shared_ptr<const games::Game>> MakeGame(const games::GameType& type, int seats,
                                                            absl::Span<const std::string> texts);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_MATCH_GAME_OPTIONS_H_
