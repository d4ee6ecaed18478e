// Plays a match along its records, one by one: positions, draws, legal moves, clocks.
//
// All that show or check a match play its records with it, but for match::Match::Rebuild, the judge
// itself, and rule_free_verifier.h, which has no positions. It refuses only what cannot be played;
// verifier.h checks whether the records are true. Thread-compatible.
//
//   Cursor cursor(setup, key);
//   for (const match::Record& record : records) {
//     if (absl::Status s = cursor.Take(record); !s.ok()) return s;
//     if (cursor.moved()) Show(cursor.state());
//   }
#ifndef REFEREE_REPLAY_CURSOR_H_
#define REFEREE_REPLAY_CURSOR_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/dice/dice.h"
#include "referee/games/game.h"
#include "referee/match/record.h"
#include "referee/replay/replay.h"

namespace referee::replay {

// What a seat has used of its time, and what is left in its bank; infinite without one.
struct SeatClock {
  absl::Duration used;
  absl::Duration bank;
};

class Cursor {
 public:
  // Fills `outcome` with the numbers of a draw, each 0 to chance.sides - 1. If it fails, so does
  // the record that led to the draw.
  using Dice = std::function<absl::Status(const games::Chance& chance, absl::Span<int> outcome)>;

  // A draw that was made.
  struct Draw {
    games::Chance chance;
    match::Roll numbers;  // from 1
  };

  Cursor(const match::Setup& setup, Dice dice);
  Cursor(const match::Setup& setup, const dice::Key& key);

  // Plays the next record, which must come after all earlier ones. Started leads to the first
  // position, Played and Forfeited to another, and all others to none. Returns InvalidArgument,
  // with the turn, if the record cannot be played; the cursor must then not be used any more.
  absl::Status Take(const match::Record& record);

  // Whether the last record has led to a position.
  bool moved() const { return moved_; }
  // What was drawn for that position, in order.
  const std::vector<Draw>& draws() const { return draws_; }
  // The position; not in Phase::kChance. REQUIRES: Started was taken.
  const games::State& state() const { return *state_; }
  // The position before it. REQUIRES: Played or Forfeited was taken.
  const games::State& before() const { return *before_; }
  // The legal moves of the turn that is due, sorted; empty if none is due.
  absl::Span<const games::Move> legal_moves() const { return legal_; }
  uint32_t turns_played() const { return turns_played_; }
  // By seat, after the turns and forfeits so far.
  const std::vector<SeatClock>& clocks() const { return clocks_; }

 private:
  absl::Status Play(const match::Started& started);
  absl::Status Play(const match::Played& played);
  absl::Status Play(const match::Forfeited& forfeited);
  template <typename Other>
  absl::Status Play(const Other&) {
    return absl::OkStatus();
  }
  // Whether a turn is due, and `seat` sits at the table.
  bool IsPlaying(Seat seat) const;
  // Makes the draws that are due.
  absl::Status Arrive();

  std::shared_ptr<const games::Game> game_;
  Dice dice_;
  std::unique_ptr<games::State> state_;  // null before Started
  std::unique_ptr<games::State> before_;
  bool moved_ = false;
  std::vector<Draw> draws_;
  std::vector<games::Move> legal_;
  uint32_t turns_played_ = 0;
  std::vector<SeatClock> clocks_;
};

// A cursor before the first record of `replay`. None if the match did not start, or its key is not
// known.
absl::optional<Cursor> CursorOf(const Replay& replay);

// Plays the next record on `cursor`, if there is one. Returns the position string that it led to;
// empty if it led to none. Resets `cursor` at a record that cannot be played.
std::string PositionAfter(const match::Record& record, absl::optional<Cursor>* cursor);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_CURSOR_H_
