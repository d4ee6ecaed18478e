// Shows a match on a terminal: connects keys, window size and time to a MatchView.
#ifndef REFEREE_CTL_REPLAY_VIEWER_H_
#define REFEREE_CTL_REPLAY_VIEWER_H_

#include <functional>

#include "absl/status/statusor.h"
#include "referee/ctl/replay/course.h"
#include "referee/ctl/replay/view.h"
#include "referee/ctl/terminal/signals.h"
#include "referee/games/game.h"

namespace referee::ctl {

// Events that arrive while a match is viewed.
struct News {
  int fd = -1;  // an eventfd that is readable if there are events; -1: none ever
  // Handles the events and updates the view.
  std::function<void(MatchView*)> take;
};

// Shows the match on the terminal until the user quits or a signal arrives, then restores the
// terminal. Returns the signal, or 0 if the user quit; the caller should raise the signal again
// after destroying `signals`. Returns FailedPrecondition without a terminal. REQUIRES:
// !course.steps.empty().
absl::StatusOr<int> ViewMatch(const Course& course, const games::DrawStyle& style,
                              SignalQueue* signals, const News& news = {});

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_VIEWER_H_
