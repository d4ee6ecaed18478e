// A match that a referee tells event by event (MatchService.WatchMatch with `from_start`), as
// frames: plays it along with the rules of its game. Trusts nothing: what cannot be played ends the
// frames, with a problem that says why. Thread-compatible.
#ifndef REFEREE_VIEW_LIVE_MATCH_H_
#define REFEREE_VIEW_LIVE_MATCH_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
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
  // Plays the record. Adds the step that it leads to, if any.
  void Play(const match::Record& record, std::vector<Step>* steps);
  // Takes the numbers of a draw from those that came with the event at hand.
  absl::Status TakeDrawn(const games::Chance& chance, absl::Span<int> outcome);
  absl::StatusOr<match::Played> PlayedFrom(const v1::TurnPlayed& turn) const;
  absl::StatusOr<match::Forfeited> ForfeitedFrom(const v1::SeatForfeited& wire) const;

  match::Setup setup_;  // as far as frames need it; without a game: it is not known
  v1::MatchView head_;
  absl::Status problem_;
  absl::Span<const uint32_t> drawn_;  // what is left of the numbers of the event at hand
  std::unique_ptr<Frames> frames_;    // null before Begin
};

}  // namespace referee::view

#endif  // REFEREE_VIEW_LIVE_MATCH_H_
