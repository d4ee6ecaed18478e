// A match that a referee tells event by event (MatchService.WatchMatch with `from_start`), as
// frames: plays it along with the rules of its game. Trusts nothing: what cannot be played ends the
// frames, with a problem that says why. Thread-compatible.
#ifndef REFEREE_VIEW_LIVE_MATCH_H_
#define REFEREE_VIEW_LIVE_MATCH_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "proto/referee/v1/match_service.pb.h"
#include "proto/referee/v1/view.pb.h"
#include "referee/games/game.h"
#include "referee/match/record.h"
#include "referee/view/frames.h"

namespace referee::view {

class LiveMatch {
 public:
  // A match as it is described before it starts. Of a game that is not known here there are no
  // frames, and its problem says so.
  explicit LiveMatch(const v1::Match& match);
  LiveMatch(const LiveMatch&) = delete;
  LiveMatch& operator=(const LiveMatch&) = delete;

  // The view without frames, verdict and replay.
  const v1::MatchView& head() const { return head_; }
  // Null if it is not known here.
  const std::shared_ptr<const games::Game>& game() const { return setup_.game; }
  // OK, or why there are no more frames.
  const absl::Status& problem() const { return problem_; }

  // A position, and what led to it.
  struct Step {
    v1::Frame frame;
    std::shared_ptr<const games::State> state;  // not in Phase::kChance
    games::Move last;                           // the pass at the start and after a forfeit
  };
  // Begins anew with a snapshot that has `started`: returns the steps from the start on.
  std::vector<Step> Begin(const v1::WatchMatchResponse& snapshot);
  // Goes on with an event that is no snapshot. Adds the step that it leads to, if any. Does nothing
  // before Begin.
  void Take(const v1::WatchMatchResponse& event, std::vector<Step>* steps);

  // There are no more frames: the match is longer than can be shown.
  void GiveUp();

  // How a match ended, as the view says it.
  static v1::MatchVerdict VerdictOf(const v1::Verdict& verdict);

 private:
  void Fail(absl::Status problem);
  absl::Status Start(const v1::WatchMatchResponse& snapshot, v1::Frame* frame);
  absl::Status Play(const v1::WatchMatchResponse& event, Step* step);
  absl::Status Forfeit(const v1::WatchMatchResponse& event, v1::Frame* frame);
  void TakeFault(const v1::SeatFaulted& wire);
  absl::StatusOr<match::Played> PlayedFrom(const v1::TurnPlayed& turn);

  match::Setup setup_;  // as far as frames need it; without a game: it is not known
  v1::MatchView head_;
  absl::Status problem_;
  std::unique_ptr<games::State> state_;  // null before Begin
  std::unique_ptr<Frames> frames_;
  std::vector<games::Move> legal_;  // reused
};

}  // namespace referee::view

#endif  // REFEREE_VIEW_LIVE_MATCH_H_
