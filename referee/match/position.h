// The position of a match: the game's state with the dice that are drawn for it, and the rolls that
// a match of a block withholds (block.h). Knows neither time nor bots. Thread-compatible.
#ifndef REFEREE_MATCH_POSITION_H_
#define REFEREE_MATCH_POSITION_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/ids.h"
#include "referee/dice/dice.h"
#include "referee/games/game.h"
#include "referee/match/block.h"
#include "referee/match/step.h"

namespace referee::match {

class Position {
 public:
  // `step` takes the records of draws. It must outlive this.
  Position(const Setup& setup, CurrentStep* step);

  const games::State& state() const { return *state_; }
  // The position string; empty before the first, and while a roll is withheld.
  const std::string& text() const { return text_; }
  uint64_t digest() const { return dice::Digest(text_); }
  const absl::optional<dice::Key>& key() const { return key_; }
  bool over() const { return state_->phase() == games::Phase::kOver; }
  // Whether the first turn is due, or was.
  bool started() const { return key_ && state_->phase() != games::Phase::kChance; }

  // Each makes all draws that are due afterwards, except rolls that are withheld.
  void Start(const dice::Key& key);
  void Play(games::Move move);
  void Forfeit(Seat seat);
  // The rolls up to `index` may be shown.
  void Release(int64_t index);

  // The legal moves of the turn that is due, once FindLegal was called for it.
  const std::vector<games::Move>& legal() const { return legal_; }
  void FindLegal() { state_->LegalMoves(&legal_); }
  void ClearLegal() { legal_.clear(); }

  bool in_block() const { return ahead_ != nullptr; }
  // The withheld roll that comes next, if one does: now, or after a decision (a move, or the seat
  // that forfeits).
  absl::optional<int64_t> Withheld() const { return WithheldIn(*state_); }
  template <typename Decision>
  absl::optional<int64_t> WithheldAfter(Decision decision) const {
    return in_block() ? WithheldIn(After(decision)) : absl::nullopt;
  }
  // As Match::roll_shown and Match::roll_to_come.
  int64_t roll_shown() const { return shown_; }
  int64_t roll_to_come() const;
  // Only rolls that were shown are released. After a rebuild the match withholds the rest again.
  void WithholdAgain() { released_ = shown_; }

 private:
  void Draw();
  void WriteDraw(const games::Chance& chance, absl::Span<const int> outcome);
  const games::State& After(games::Move move) const;
  const games::State& After(Seat forfeits) const;
  absl::optional<int64_t> WithheldIn(const games::State& state) const;

  CurrentStep* const step_;
  const int seats_;
  std::unique_ptr<games::State> state_;
  std::unique_ptr<games::State> ahead_;  // null without a block; reused
  absl::optional<dice::Key> key_;
  std::string text_;
  std::vector<games::Move> legal_;
  int64_t released_ = kNoRoll;  // the last roll that may be shown
  int64_t shown_ = kNoRoll;
};

}  // namespace referee::match

#endif  // REFEREE_MATCH_POSITION_H_
