// refereed --check: tells what a start would do.
#ifndef REFEREE_DAEMON_CHECK_H_
#define REFEREE_DAEMON_CHECK_H_

#include <ostream>

#include "referee/daemon/flags.h"

namespace referee::daemon {

// Returns the exit status: 0 when a referee would start, else 1.
int RunCheck(const Flags& flags, std::ostream* out);

}  // namespace referee::daemon

#endif  // REFEREE_DAEMON_CHECK_H_
