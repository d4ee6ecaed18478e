// refctl match watch: follows a running match, on a terminal or as lines.
#ifndef REFEREE_CTL_MATCH_WATCH_H_
#define REFEREE_CTL_MATCH_WATCH_H_

#include <string>

#include "absl/status/statusor.h"
#include "referee/ctl/client.h"
#include "referee/ctl/terminal/output.h"

namespace referee::ctl {

// Follows the match to its end, and prints a line for each turn, or with `json` an object for each
// message. Ends as Refused does on an error.
absl::StatusOr<Exit> WatchMatchAsLines(const ClientFlags& flags, const std::string& match_id,
                                       bool json, const Output& output);

// Follows the match on a terminal, with board, points and keys, until the user quits. Prints lines
// for a match that has not started, and for a game that this program does not know.
absl::StatusOr<Exit> WatchMatchOnTerminal(const ClientFlags& flags, const std::string& match_id,
                                          const Output& output);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_MATCH_WATCH_H_
