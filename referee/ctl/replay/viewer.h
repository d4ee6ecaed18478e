// A replay on a terminal: what a screen shows, what a key does, and the loop that joins them.
#ifndef REFEREE_CTL_REPLAY_VIEWER_H_
#define REFEREE_CTL_REPLAY_VIEWER_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "referee/games/game.h"
#include "referee/replay/playback.h"
#include "referee/replay/replay.h"

namespace referee::ctl {

// The screen of step `at`: who plays, the board, what was played, and at the end the result. Lines
// with line ends. REQUIRES: playback is of `replay`, `at` is one of its steps.
std::string ReplayScreen(const replay::Replay& replay, const replay::Playback& playback, size_t at,
                         const games::DrawStyle& style);

enum class ViewerKey { kNone, kNext, kPrevious, kPageNext, kPagePrevious, kFirst, kLast, kQuit };

// Takes one key, as a terminal sends it, off the front of `bytes`; kNone for one that means
// nothing. REQUIRES: !bytes->empty().
ViewerKey TakeViewerKey(absl::string_view* bytes);

// The step that a key leads to from `at`, of `count` steps. REQUIRES: at < count, not kQuit.
size_t StepAfterKey(ViewerKey key, size_t at, size_t count);

// Shows the replay on the terminal until the user quits. The terminal is put back as it was,
// also on SIGINT, SIGTERM and SIGHUP, which then take their course. Returns FailedPrecondition if
// there is no terminal.
absl::Status ViewReplay(const replay::Replay& replay, const replay::Playback& playback,
                        const games::DrawStyle& style);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_VIEWER_H_
