// Makes the frames of a running match from the events of MatchService.WatchMatch with `from_start`.
//
// It plays the events by the rules of the game, and trusts none of them: an impossible event ends
// the frames, and sets a problem. Thread-compatible.
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
  // `match` describes the match before its start. If this program does not know the game, there are
  // no frames, and problem() says so.
  explicit LiveMatch(const v1::Match& match);
  LiveMatch(const LiveMatch&) = delete;
  LiveMatch& operator=(const LiveMatch&) = delete;

  // The view without frames, verdict and replay.
  const v1::MatchView& head() const { return head_; }
  // Null if this program does not know the game.
  const std::shared_ptr<const games::Game>& game() const { return setup_.game; }
  // OK, or why there are no more frames.
  const absl::Status& problem() const { return problem_; }

  // A position, and the move that led to it.
  struct Step {
    v1::Frame frame;
    std::shared_ptr<const games::State> state;  // not in Phase::kChance
    games::Move last;                           // the pass at the start and after a forfeit
  };
  // Starts anew from a snapshot with `started`. Returns the steps from the start of the match.
  std::vector<Step> Begin(const v1::WatchMatchResponse& snapshot);
  // Plays an event that is not a snapshot. Adds its step, if it makes one. Does nothing before
  // Begin.
  void Take(const v1::WatchMatchResponse& event, std::vector<Step>* steps);

  // Ends the frames: the match is too long to show.
  void GiveUp();

  // Converts a verdict to the form of the view.
  static v1::MatchVerdict VerdictOf(const v1::Verdict& verdict);

 private:
  void Fail(absl::Status problem);
  // Plays the record. Adds its step, if it makes one.
  void Play(const match::Record& record, std::vector<Step>* steps);
  // Reads the numbers of a draw from the current event.
  absl::Status TakeDrawn(const games::Chance& chance, absl::Span<int> outcome);
  absl::StatusOr<match::Played> PlayedFrom(const v1::TurnPlayed& turn) const;
  absl::StatusOr<match::Forfeited> ForfeitedFrom(const v1::SeatForfeited& wire) const;

  match::Setup setup_;  // the parts that frames need; without a game if it is unknown
  v1::MatchView head_;
  absl::Status problem_;
  absl::Span<const uint32_t> drawn_;  // the unread drawn numbers of the current event
  std::unique_ptr<Frames> frames_;    // null before Begin
};

}  // namespace referee::view

#endif  // REFEREE_VIEW_LIVE_MATCH_H_
