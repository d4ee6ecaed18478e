// Takes over the matches that an earlier process left in a data directory: those that were running,
// and those that ended lately, which people may still ask for.
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

// Has `host` resume the matches that were running, which wait for their bots for `limit`, and
// remember those that ended lately, so that the call that made one can be repeated. Tells `log` of
// each. Call it before bots are attached.
void GoOnWithWhatIsLeft(replay::FileRecorder* recorder, const replay::Archive& archive,
                        host::Host* host, absl::Duration limit, const log::Log& log);

// Ends the matches that were running as void, for `reason`. One that cannot be archived now stays
// for the next time.
void EndWhatIsLeft(replay::FileRecorder* recorder, absl::string_view reason, absl::Time now);

}  // namespace referee::node

#endif  // REFEREE_NODE_LEFT_H_
