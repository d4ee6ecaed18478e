// Builds a Course for a terminal viewer from the events of a watched match.
//
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
  // Adds the next event, beginning with the start of the match. Returns its highlights as text,
  // such as "capture, new leader". Returns an empty text if there are none, or if this program does
  // not know the game.
  std::string Take(const v1::WatchMatchResponse& news);
  // Reports that no more events will come. `why`: the reason, if the match has not ended.
  void End(const absl::Status& why);

  // The match so far. It has no steps before the first turn, or if this program does not know the
  // game.
  const Course& course() const { return course_; }

 private:
  void Begin(const v1::WatchMatchResponse& news);
  std::string Follow(const v1::WatchMatchResponse& news);
  void Add(const view::LiveMatch::Step& step, const std::string& detail);

  std::unique_ptr<view::LiveMatch> match_;  // null without a match to follow
  Course course_;
};

}  // namespace referee::ctl

#endif  // REFEREE_CTL_MATCH_WATCHED_MATCH_H_
