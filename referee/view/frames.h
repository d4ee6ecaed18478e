// Makes the frames of a match (referee/v1/view.proto) from its records, one by one.
//
// A replay supplies all records at once, a running match as they come. Thread-compatible.
//
//   Frames frames(setup, cursor);
//   absl::StatusOr<absl::optional<v1::Frame>> frame = frames.Take(record);
#ifndef REFEREE_VIEW_FRAMES_H_
#define REFEREE_VIEW_FRAMES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "proto/referee/v1/view.pb.h"
#include "referee/games/game.h"
#include "referee/games/viewable.h"
#include "referee/match/record.h"
#include "referee/replay/cursor.h"

namespace referee::view {

// The geometry of a game; none if the game is drawn as text.
absl::optional<v1::BoardGeometry> GeometryOf(const games::Game& game);

class Frames {
 public:
  // `setup` must outlive this object. `cursor` stands before the first record of the match.
  Frames(const match::Setup& setup, replay::Cursor cursor);

  // Plays the next record. Returns its frame, if it makes one, or why it cannot be played. After an
  // error this object must not be used any more. A fault that did not take the seat out appears in
  // the frame of its turn.
  absl::StatusOr<absl::optional<v1::Frame>> Take(const match::Record& record);

  // The cursor after the last record.
  const replay::Cursor& cursor() const { return cursor_; }

 private:
  v1::Frame Start();
  v1::Frame Turn(const match::Played& turn);
  v1::Frame Forfeit(const match::Forfeited& forfeit);
  v1::Frame FrameOf(const games::State* before, games::Move last);
  void AddSeats(v1::Frame* frame);
  void AddScene(const games::State* before, games::Move last, v1::Frame* frame);
  void AddLead(v1::Frame* frame);
  void AddDraws(v1::Frame* frame);
  std::string TakeFaults();

  const match::Setup& setup_;
  replay::Cursor cursor_;
  const games::Viewable* const
      game_;           // null: the game is drawn as text, and moves have no descriptions
  const bool placed_;  // the game has a geometry
  std::vector<std::string> faults_;  // of the current turn
  Seat leader_;
};

}  // namespace referee::view

#endif  // REFEREE_VIEW_FRAMES_H_
