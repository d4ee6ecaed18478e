// A match on a terminal: the loop that joins its keys, its size and the time to a MatchView.
#ifndef REFEREE_CTL_REPLAY_VIEWER_H_
#define REFEREE_CTL_REPLAY_VIEWER_H_

#include <functional>

#include "absl/status/statusor.h"
#include "referee/ctl/replay/course.h"
#include "referee/ctl/replay/view.h"
#include "referee/ctl/terminal/signals.h"
#include "referee/games/game.h"

namespace referee::ctl {

// What goes on while a match is viewed.
struct News {
  int fd = -1;  // an eventfd that is written to when there is news; -1: there never is
  // Takes the news, and tells the view.
  std::function<void(MatchView*)> take;
};

// Shows the match on the terminal until the user quits or a signal ends that, and puts the terminal
// back as it was. Returns the signal, which the caller lets take its course once `signals` is gone;
// 0 if it was the user. Returns FailedPrecondition if there is no terminal.
// REQUIRES: !course.steps.empty().
absl::StatusOr<int> ViewMatch(const Course& course, const games::DrawStyle& style,
                              SignalQueue* signals, const News& news = {});

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_VIEWER_H_
