// The flags of every command that creates matches: the game, its positions, and the judging.
//
// --game names the game. --option name=value sets an option; for a file option, the value is the
// file's name. --positions FILE lists the start positions of blocks, one position string of the
// game per line. Blank lines, lines that begin with #, and spaces around a position are ignored.
// The other flags set clocks and the penalties of faults.
#ifndef REFEREE_CTL_MATCH_FLAGS_H_
#define REFEREE_CTL_MATCH_FLAGS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "referee/ctl/command.h"
#include "referee/games/game.h"
#include "referee/match/policies.h"
#include "referee/match/time_control.h"

namespace referee::ctl {

// Adds --game, which is required, and --option. `game` and `options` must outlive the parsing.
void AddGameFlags(CLI::App* command, std::string* game, std::vector<std::string>* options);

// Parses "name=value" texts for a game. For a file option whose value is not built in, reads the
// named file and uses its bytes as the value. Returns InvalidArgument that names the option, and
// the file, if a text has no '=', a name is repeated, or a file cannot be read or is refused by the
// game. GameType::Create checks all other values.
absl::StatusOr<std::vector<games::Option>> ReadOptions(const games::GameType& type,
                                                       absl::Span<const std::string> texts);

// Makes the game: ReadOptions, then GameType::Create.
absl::StatusOr<std::shared_ptr<const games::Game>> MakeGame(const games::GameType& type, int seats,
                                                            absl::Span<const std::string> texts);

// Adds --positions. `path` must outlive the parsing.
void AddPositionsFlag(CLI::App* command, std::string* path);

// Reads the file and parses each position; returns the positions as the game, which is of `type`,
// writes them. Returns none if `path` is empty. Returns the error of reading the file, or
// InvalidArgument that names the file and the problem, with its line. An empty file is an error,
// and so is a position from which matches cannot start.
absl::StatusOr<std::vector<std::string>> ReadPositions(const std::string& path,
                                                       const games::GameType& type,
                                                       const games::Game& game);

// The values of the flags, as text.
struct JudgingFlags {
  std::string time = "500ms";
  std::string on_timeout = "forfeit";
  std::string on_illegal = "forfeit";
  std::string on_lost_link = "run";
  std::string lag_compensation = "none";
};

// Adds --time.
CLI::Option* AddTimeFlag(CLI::App* command, std::string* time);
// Adds --time, --on-timeout, --on-illegal, --on-lost-link and --lag-compensation. `flags` must
// outlive the parsing.
void AddJudgingFlags(CLI::App* command, JudgingFlags* flags);

struct Judging {
  match::TimeControl time_control;
  match::Policies policies;
};

// Returns InvalidArgument that names the flag.
absl::StatusOr<Judging> ReadJudging(const JudgingFlags& flags);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_MATCH_FLAGS_H_
