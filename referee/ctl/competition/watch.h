// refctl competition watch: a competition's table, live, until it is over.
#ifndef REFEREE_CTL_COMPETITION_WATCH_H_
#define REFEREE_CTL_COMPETITION_WATCH_H_

#include <string>

#include "absl/status/statusor.h"
#include "referee/ctl/client_flags.h"
#include "referee/ctl/terminal/output.h"

namespace referee::ctl {

enum class WatchStyle {
  kTable,  // drawn again in place; for terminals
  kLines,  // a line of progress now and then, and the table at the end
  kJson,   // a JSON object for each message, one a line
};

// Follows the competition until it is finished, or until SIGINT, SIGTERM or SIGHUP; returns
// Exit::kOk in both cases. If the referee goes away, says so and waits for it for as long as it
// takes. Returns the referee's error otherwise, Unavailable when none answers at the start.
absl::StatusOr<Exit> WatchCompetition(const ClientFlags& flags, const std::string& name,
                                      WatchStyle style, const Output& output);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_COMPETITION_WATCH_H_
