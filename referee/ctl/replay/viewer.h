// A replay on a terminal: the loop that joins its keys, its size and the time to a ReplayView.
#ifndef REFEREE_CTL_REPLAY_VIEWER_H_
#define REFEREE_CTL_REPLAY_VIEWER_H_

#include "absl/status/status.h"
#include "referee/games/game.h"
#include "referee/replay/playback.h"
#include "referee/replay/replay.h"

namespace referee::ctl {

// Shows the replay on the terminal until the user quits. The terminal is put back as it was,
// also on SIGINT, SIGTERM and SIGHUP, which then take their course. Returns FailedPrecondition if
// there is no terminal. REQUIRES: !playback.steps().empty().
absl::Status ViewReplay(const replay::Replay& replay, const replay::Playback& playback,
                        const games::DrawStyle& style);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_VIEWER_H_
