// Replays the records of a match one by one: positions, draws, legal moves, clocks.
//
// Everything that shows or checks a match uses it, with two exceptions. match::Match::Rebuild is
// the judge itself, and rule_free_verifier.h has no positions. A cursor refuses only records that
// cannot be played; verifier.h checks whether they are true. Thread-compatible.
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

// Time that a seat has used, and time left in its bank; infinite if it has no bank.
struct SeatClock {
  absl::Duration used;
  absl::Duration bank;
};

class Cursor {
 public:
  // Fills `outcome` with the numbers of a draw, each 0 to chance.sides - 1. If it fails, the record
  // before the draw fails.
  using Dice = std::function<absl::Status(const games::Chance& chance, absl::Span<int> outcome)>;

  // A draw with its outcome.
  struct Draw {
    games::Chance chance;
    match::Roll numbers;  // from 1
  };

  Cursor(const match::Setup& setup, Dice dice);
  Cursor(const match::Setup& setup, const dice::Key& key);

  // Plays the next record. Records must come in order. Started, Played and Forfeited lead to a new
  // position; other records do not. Returns InvalidArgument, with the turn, if the record cannot be
  // played; the cursor must then not be used any more.
  absl::Status Take(const match::Record& record);

  // Returns whether the last record has led to a new position.
  bool moved() const { return moved_; }
  // Returns the draws that led to that position, in order.
  const std::vector<Draw>& draws() const { return draws_; }
  // Returns the position, never in Phase::kChance. REQUIRES: Started was taken.
  const games::State& state() const { return *state_; }
  // Returns the position before the last record. REQUIRES: Played or Forfeited was taken.
  const games::State& before() const { return *before_; }
  // Returns the legal moves of the current turn, sorted; empty if no turn is due.
  absl::Span<const games::Move> legal_moves() const { return legal_; }
  uint32_t turns_played() const { return turns_played_; }
  // Returns the clocks by seat, after the turns and forfeits so far.
  const std::vector<SeatClock>& clocks() const { return clocks_; }

 private:
  absl::Status Play(const match::Started& started);
  absl::Status Play(const match::Played& played);
  absl::Status Play(const match::Forfeited& forfeited);
  template <typename Other>
  absl::Status Play(const Other&) {
    return absl::OkStatus();
  }
  // Returns whether a turn is due and `seat` takes part in the game.
  bool IsPlaying(Seat seat) const;
  // Makes the draws that the position requires.
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

// Returns a cursor before the first record of `replay`. Returns none if the match did not start, or
// its key is unknown.
absl::optional<Cursor> CursorOf(const Replay& replay);

// Plays the next record on `cursor`, if a cursor is set. Returns the new position string; empty if
// the record leads to no new position. Resets `cursor` at a record that cannot be played.
std::string PositionAfter(const match::Record& record, absl::optional<Cursor>* cursor);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_CURSOR_H_
