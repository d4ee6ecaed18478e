// A match that runs, step by step: from what a referee tells whoever watches it
// (MatchService.WatchMatch). Thread-compatible.
//
//   LiveMatch match(game, snapshot);
//   for (const LiveStep& step : *match.Take(turn_played)) Show(step);
//
// Nobody is told the key of the dice before the match is over. Which roll follows a turn is found
// by the turn's digest: that is of the position with the next roll in it. What is drawn before the
// first turn leads to a position that the turn says enough of.
#ifndef REFEREE_VIEW_LIVE_H_
#define REFEREE_VIEW_LIVE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "proto/referee/v1/match.pb.h"
#include "proto/referee/v1/view.pb.h"
#include "referee/games/game.h"
#include "referee/match/record.h"
#include "referee/view/frames.h"

namespace referee::view {

// A position, and what led to it.
struct LiveStep {
  std::shared_ptr<const games::State> state;  // not in Phase::kChance
  games::Move last;                           // the pass at the start and after a forfeit
  v1::Frame frame;
};

class LiveMatch {
 public:
  // The match from `snapshot` on: what was before is not known. `game` is the one that the snapshot
  // has. Returns InvalidArgument if that cannot be read.
  static absl::StatusOr<std::unique_ptr<LiveMatch>> Begin(std::shared_ptr<const games::Game> game,
                                                          const v1::Snapshot& snapshot);
  LiveMatch(const LiveMatch&) = delete;
  LiveMatch& operator=(const LiveMatch&) = delete;

  // The snapshot's position; none of a match that had not begun: its start comes with its first
  // turn. Of what seats have used, frames have what they used since then.
  const absl::optional<LiveStep>& start() const { return start_; }

  // What happened next, in order. A forfeit after which dice are rolled is told with the turn that
  // is played with them. Returns InvalidArgument for what the match cannot have come to, and then
  // takes nothing more.
  absl::StatusOr<std::vector<LiveStep>> Take(const v1::TurnPlayed& turn);
  absl::StatusOr<std::vector<LiveStep>> Take(const v1::SeatForfeited& forfeit);

 private:
  LiveMatch(std::shared_ptr<const games::Game> game, const v1::Snapshot& snapshot);

  absl::Status Refuse(absl::Status why);
  absl::Status Settle(const v1::TurnPlayed& turn, std::vector<LiveStep>* steps);
  absl::StatusOr<games::Move> MoveOf(const v1::TurnPlayed& turn) const;
  bool DrawUntil(uint64_t digest, games::State* state) const;
  bool StartBefore(const v1::TurnPlayed& turn);
  void TellForfeits(std::vector<LiveStep>* steps);

  match::Setup setup_;
  Frames frames_;
  absl::optional<LiveStep> start_;
  // In Phase::kChance while a roll is not known; null before the match has begun.
  std::unique_ptr<games::State> state_;
  std::vector<match::Forfeited> forfeits_;  // not told yet
  absl::Status refused_;
};

}  // namespace referee::view

#endif  // REFEREE_VIEW_LIVE_H_
