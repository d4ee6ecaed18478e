// The positions of a replay, one after another, for viewers. It plays the records as far as they
// can be played; verifier.h checks whether they are true. Thread-compatible.
#ifndef REFEREE_REPLAY_PLAYBACK_H_
#define REFEREE_REPLAY_PLAYBACK_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "referee/games/game.h"
#include "referee/match/record.h"
#include "referee/replay/replay.h"

namespace referee::replay {

// A position of the match, and how it came about.
struct PlaybackStep {
  std::unique_ptr<games::State> state;  // not in Phase::kChance
  // What led here; both null at the start. They point into the Replay.
  const match::Played* turn = nullptr;
  const match::Forfeited* forfeit = nullptr;
  // Turns played so far.
  uint32_t turns_played = 0;
};

class Playback {
 public:
  // Plays `replay`, which must outlive this and stay where it is.
  explicit Playback(const Replay& replay);

  // The start and what each turn and forfeit led to; empty if the match did not start.
  const std::vector<PlaybackStep>& steps() const { return steps_; }
  // The index of the last step with at most `turn` turns played. REQUIRES: !steps().empty().
  size_t StepOfTurn(uint32_t turn) const;
  // OK, or why the records could not be played further than the last step.
  const absl::Status& problem() const { return problem_; }

 private:
  absl::Status Play(const match::Played& turn, const dice::Key& key);
  absl::Status Play(const match::Forfeited& forfeit, const dice::Key& key);

  std::vector<PlaybackStep> steps_;
  absl::Status problem_;
  std::vector<games::Move> legal_;
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_PLAYBACK_H_
