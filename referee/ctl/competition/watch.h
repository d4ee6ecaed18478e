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
  kJson,   // an object for everything that is told, one a line
};

// Follows the competition until it is finished, or SIGINT, SIGTERM or SIGHUP comes, which both end
// well. A referee that goes away is waited for, saying so, for as long as it takes. Returns what
// the referee says otherwise, Unavailable when none answers to begin with.
absl::StatusOr<Exit> WatchCompetition(const ClientFlags& flags, const std::string& name,
                                      WatchStyle style, const Output& output);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_COMPETITION_WATCH_H_
