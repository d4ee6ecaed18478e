// Fault injection for tests: the daemon sends itself SIGKILL before a write to a journal, or in the
// middle of it; or such writes take long, as those to a disk that hangs.
//
//   journal-write:N          killed before the Nth write since the start, from 1
//   journal-write:N:BYTES    when BYTES bytes of it, or all if it has no more, are in the file
//   journal-slow:N:DURATION  every Nth write takes so long
#ifndef REFEREE_DAEMON_FAULT_POINT_H_
#define REFEREE_DAEMON_FAULT_POINT_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/replay/journal.h"

namespace referee::daemon {

// Parses a fault point as above. Returns InvalidArgument that says what is possible. A hook
// that kills does not return from its fault.
absl::StatusOr<replay::WriteHook> ParseFaultPoint(absl::string_view text);

}  // namespace referee::daemon

#endif  // REFEREE_DAEMON_FAULT_POINT_H_
