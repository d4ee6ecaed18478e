// The position of a match: the state of the game with its dice, and the rolls that are withheld.
//
// A match of a block withholds rolls (block.h). Position knows neither time nor bots.
// Thread-compatible.
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
  // Writes the draws before the first turn to `step`, which must outlive this.
  Position(const Setup& setup, CurrentStep* step);

  const games::State& state() const { return *state_; }
  // The position string; empty before the first turn, and while a roll is withheld.
  const std::string& text() const { return text_; }
  uint64_t digest() const { return dice::Digest(text_); }
  const absl::optional<dice::Key>& key() const { return key_; }
  bool over() const { return state_->phase() == games::Phase::kOver; }
  // Whether a turn is or was due: the draws before the first turn are made.
  bool started() const { return key_ && state_->phase() != games::Phase::kChance; }

  // Each also makes all draws that follow, except withheld rolls.
  void Start(const dice::Key& key);
  void Play(games::Move move);
  void Forfeit(Seat seat);
  // Allows the rolls up to `index` to be shown, and draws what was withheld.
  void Release(int64_t index);

  // The legal moves of the due turn, once FindLegal has been called for it.
  const std::vector<games::Move>& legal() const { return legal_; }
  void FindLegal() { state_->LegalMoves(&legal_); }
  void ClearLegal() { legal_.clear(); }

  bool in_block() const { return ahead_ != nullptr; }
  // The withheld roll that comes next, if any: now, or after a decision. A decision is a move, or
  // the seat that forfeits.
  absl::optional<int64_t> Withheld() const { return WithheldIn(*state_); }
  template <typename Decision>
  absl::optional<int64_t> WithheldAfter(Decision decision) const {
    return in_block() ? WithheldIn(After(decision)) : absl::nullopt;
  }
  // As Match::roll_shown and Match::roll_to_come.
  int64_t roll_shown() const { return shown_; }
  int64_t roll_to_come() const;
  // Withholds all rolls that were not shown, after a rebuild.
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
  std::unique_ptr<games::State> ahead_;  // scratch state for After(); null outside of a block
  absl::optional<dice::Key> key_;
  std::string text_;
  std::vector<games::Move> legal_;
  int64_t released_ = kNoRoll;  // the last roll that may be shown
  int64_t shown_ = kNoRoll;
};

}  // namespace referee::match

#endif  // REFEREE_MATCH_POSITION_H_
