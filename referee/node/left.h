// Takes over the matches that an earlier process left in a data directory: those that were running,
// and those that ended lately, which people may still ask for.
#ifndef REFEREE_NODE_LEFT_H_
#define REFEREE_NODE_LEFT_H_

#include <functional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/host/host.h"
#include "referee/replay/archive.h"
#include "referee/replay/file_recorder.h"

namespace referee::node {

// Has `host` resume the matches that were running, which wait for their bots for `limit`, and
// remember those that ended lately, so that the call that made one can be repeated. Writes a line
// to `log` for each. Call it before bots are attached.
void GoOnWithWhatIsLeft(replay::FileRecorder* recorder, const replay::Archive& archive,
                        host::Host* host, absl::Duration limit,
                        const std::function<void(absl::string_view)>& log);

// Ends the matches that were running as void, for `reason`. One that cannot be archived now stays
// for the next time.
void EndWhatIsLeft(replay::FileRecorder* recorder, absl::string_view reason, absl::Time now);

}  // namespace referee::node

#endif  // REFEREE_NODE_LEFT_H_
