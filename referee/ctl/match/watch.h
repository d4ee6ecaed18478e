// refctl match watch: a match as it is played, on a terminal or as lines.
#ifndef REFEREE_CTL_MATCH_WATCH_H_
#define REFEREE_CTL_MATCH_WATCH_H_

#include <string>

#include "absl/status/statusor.h"
#include "referee/ctl/client.h"
#include "referee/ctl/terminal/output.h"

namespace referee::ctl {

// Follows the match until it is over, a line a turn; `json`: an object for all that is told. Fails
// as Refused says.
absl::StatusOr<Exit> WatchMatchAsLines(const ClientFlags& flags, const std::string& match_id,
                                       bool json, const Output& output);

// The same on a terminal, with board, points and keys, until the user quits. A match that has not
// started yet, and one of a game that this program does not know, is followed as lines.
absl::StatusOr<Exit> WatchMatchOnTerminal(const ClientFlags& flags, const std::string& match_id,
                                          const Output& output);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_MATCH_WATCH_H_
