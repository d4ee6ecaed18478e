// Recovers matches that an earlier process left in a data directory.
//
// These are matches that were running, and recently ended ones that clients may still ask for.
#ifndef REFEREE_NODE_LEFT_H_
#define REFEREE_NODE_LEFT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/host/host.h"
#include "referee/log/event.h"
#include "referee/replay/archive.h"
#include "referee/replay/file_recorder.h"

namespace referee::node {

// Resumes the matches that were running; they wait up to `limit` for their bots. `host` also
// remembers recently ended matches, so that the call that made one can be repeated. Logs each. Call
// this before bots are attached.
void GoOnWithWhatIsLeft(replay::FileRecorder* recorder, const replay::Archive& archive,
                        host::Host* host, absl::Duration limit, const log::Log& log);

// Ends the matches that were running as void, for `reason`. A match that cannot be archived now
// stays in the log for the next start.
void EndWhatIsLeft(replay::FileRecorder* recorder, absl::string_view reason, absl::Time now);

}  // namespace referee::node

#endif  // REFEREE_NODE_LEFT_H_
