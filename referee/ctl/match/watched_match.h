// A match as it is told to who watches it, put together for a viewer on a terminal.
// Thread-compatible.
#ifndef REFEREE_CTL_MATCH_WATCHED_MATCH_H_
#define REFEREE_CTL_MATCH_WATCHED_MATCH_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "proto/referee/v1/match_service.pb.h"
#include "referee/ctl/replay/course.h"
#include "referee/view/live_match.h"

namespace referee::ctl {

class WatchedMatch {
 public:
  // Takes what the referee told, asked for the match from its start. Returns what is worth to stop
  // at in it, as text: "capture, new leader"; empty if nothing is, or this program does not know
  // the game.
  std::string Take(const v1::WatchMatchResponse& news);
  // Nothing more will be told. `why` says why not, if the match is not over.
  void End(const absl::Status& why);

  // What has happened so far; no steps before the first turn, and none of a game that this program
  // does not know.
  const Course& course() const { return course_; }

 private:
  void Begin(const v1::WatchMatchResponse& news);
  std::string Follow(const v1::WatchMatchResponse& news);
  void Add(const view::LiveMatch::Step& step, const std::string& detail);

  std::unique_ptr<view::LiveMatch> match_;  // null while there is nothing to follow
  Course course_;
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_MATCH_WATCHED_MATCH_H_
