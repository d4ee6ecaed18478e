// The flags of every command that makes matches.
//
// Those that choose a game: --game name, and its options, --option name=value, where the value of a
// file option is the file's name. --positions FILE, from which blocks start: it has one a line, as
// position strings of the game; empty lines, those that begin with # and spaces around a position
// are skipped. And those that say how a match is judged: its clocks, and the penalties of faults.
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

// Reads "name=value" texts for a game. Where the game takes a file and the value is not one that is
// built in, the value names a file, whose bytes become the value. Returns InvalidArgument that
// names the option, and the file, when a text has no '=', a name comes twice, or a file cannot be
// read or is refused by the game. GameType::Create checks other values.
absl::StatusOr<std::vector<games::Option>> ReadOptions(const games::GameType& type,
                                                       absl::Span<const std::string> texts);

// Makes the game: ReadOptions, then GameType::Create.
absl::StatusOr<std::shared_ptr<const games::Game>> MakeGame(const games::GameType& type, int seats,
                                                            absl::Span<const std::string> texts);

// `path` must outlive the parsing.
void AddPositionsFlag(CLI::App* command, std::string* path);

// Reads the file, and makes a game of each position; none if `path` is empty. Returns the positions
// as the game, which is of `type`, writes them. Returns what the file's reading says, and
// InvalidArgument that names the file, the line and what is wrong there; or that the file has no
// position, or that matches of the game cannot start from one.
absl::StatusOr<std::vector<std::string>> ReadPositions(const std::string& path,
                                                       const games::GameType& type,
                                                       const games::Game& game);

// What was given, as text.
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
