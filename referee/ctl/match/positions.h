// The flag for a file of positions that blocks start from: --positions FILE. The file has one a
// line, as position strings of the game; empty lines and those that begin with # are skipped,
// spaces around a position too.
#ifndef REFEREE_CTL_MATCH_POSITIONS_H_
#define REFEREE_CTL_MATCH_POSITIONS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "referee/ctl/command.h"
#include "referee/games/game.h"

namespace referee::ctl {

// `path` must outlive the parsing.
void AddPositionsFlag(CLI::App* command, std::string* path);

// Reads the file, and makes a game of each position; none if `path` is empty. Returns the positions
// as the game, which is of `type`, writes them. Returns what the file's reading says, and
// InvalidArgument that names the file, the line and what is wrong there; or that the file has no
// position, or that matches of the game cannot start from one.
absl::StatusOr<std::vector<std::string>> ReadPositions(const std::string& path,
                                                       const games::GameType& type,
                                                       const games::Game& game);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_MATCH_POSITIONS_H_
