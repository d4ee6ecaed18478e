// The frames of a match (referee/v1/view.proto), one after another as the match goes on: for a
// replay all at once, for a match that runs as its records come. Thread-compatible.
//
//   Frames frames(setup);
//   v1::Frame frame = frames.Start(state);
//   frame = frames.Turn(played, before, after);
#ifndef REFEREE_VIEW_FRAMES_H_
#define REFEREE_VIEW_FRAMES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "proto/referee/v1/view.pb.h"
#include "referee/games/game.h"
#include "referee/games/viewable.h"
#include "referee/match/record.h"

namespace referee::view {

// The geometry of a game; none if it is drawn as text.
absl::optional<v1::BoardGeometry> GeometryOf(const games::Game& game);

// Appends what is drawn from `key` until `state` waits for a move or is over, and draws it.
void AddDraws(const dice::Key& key, games::State* state, v1::Frame* frame);

// States are not in Phase::kChance.
class Frames {
 public:
  // `setup` must outlive this.
  explicit Frames(const match::Setup& setup);

  // The first frame.
  v1::Frame Start(const games::State& state);
  // A fault that did not take the seat out is told with the frame of its turn.
  void Take(const match::Faulted& fault);
  // `turn` was played in `before` and led to `after`.
  v1::Frame Turn(const match::Played& turn, const games::State& before, const games::State& after);
  v1::Frame Forfeit(const match::Forfeited& forfeit, const games::State& after);

 private:
  struct SeatClock {
    absl::Duration used;
    absl::Duration bank;
  };

  v1::Frame FrameOf(const games::State& state, const games::State* before, games::Move last);
  void AddSeats(const games::State& state, v1::Frame* frame);
  void AddScene(const games::State& state, const games::State* before, games::Move last,
                v1::Frame* frame);
  void AddLead(const games::State& state, v1::Frame* frame);
  std::string TakeFaults();

  const match::Setup& setup_;
  const games::Viewable* const game_;  // null: drawn as text, and no move is described
  const bool placed_;                  // it has a geometry
  std::vector<SeatClock> clocks_;
  std::vector<std::string> faults_;  // of the turn that is due
  Seat leader_;
  uint32_t turns_ = 0;
};

}  // namespace referee::view

#endif  // REFEREE_VIEW_FRAMES_H_
