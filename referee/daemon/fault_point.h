// Fault injection for tests: the daemon sends itself SIGKILL before a write to the log, or in the
// middle of it; or its syncs take long, as those of a disk that hangs.
//
//   log-write:N          killed before the Nth write since the start, from 1
//   log-write:N:BYTES    when BYTES bytes of it, or all if it has no more, are in the log
//   log-slow:N:DURATION  every Nth sync takes so long
#ifndef REFEREE_DAEMON_FAULT_POINT_H_
#define REFEREE_DAEMON_FAULT_POINT_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/replay/log_folder.h"

namespace referee::daemon {

// At most one is not null. One that kills does not return from its fault.
struct FaultPoint {
  replay::WriteHook at_write;
  replay::SyncHook at_sync;
};

// Parses a fault point as above. Returns InvalidArgument that says what is possible.
absl::StatusOr<FaultPoint> ParseFaultPoint(absl::string_view text);

}  // namespace referee::daemon

#endif  // REFEREE_DAEMON_FAULT_POINT_H_
