// A match of Isaac being played. RULES.md has the rules, games/game.h the contract.
//
// Only Clone, positions, drawings, outcomes and errors allocate. Thread-compatible.
#ifndef REFEREE_GAMES_ISAAC_STATE_H_
#define REFEREE_GAMES_ISAAC_STATE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "referee/games/game.h"
#include "referee/games/isaac/table.h"

namespace referee::games::isaac {

class IsaacState final : public State {
 public:
  // Makes the state before the draw of the first player. If the rules name the first seat, before
  // its turn.
  explicit IsaacState(const Rules& rules);
  // Returns InvalidArgument with the field and its offset unless `text` is a position string that
  // these rules allow.
  static absl::StatusOr<std::unique_ptr<State>> Parse(const Rules& rules, absl::string_view text);

  std::unique_ptr<State> Clone() const override;
  void CopyFrom(const State& other) override;
  Phase phase() const override;
  Chance chance() const override;
  void ApplyChance(absl::Span<const int> outcome) override;
  Seat seat_to_move() const override;
  Seat first_seat() const override { return Seat(table_.first); }
  absl::Span<const int> roll() const override { return {}; }
  absl::Status SetRoll(absl::Span<const int> dice) override;
  void LegalMoves(std::vector<Move>* moves) const override;
  absl::StatusOr<Move> Resolve(Move claimed, absl::Span<const Move> legal) const override;
  void Apply(Move move) override;
  void Forfeit(Seat seat) override;
  bool forfeited(Seat seat) const override { return table_.forfeited == seat.index(); }
  Outcome outcome() const override;
  int score(Seat seat) const override { return table_.scores[seat.index()]; }
  void AppendPosition(std::string* out) const override;
  std::string Draw(const DrawStyle& style, Move last) const override;

  const Rules& rules() const { return rules_; }
  const Table& table() const { return table_; }
  bool over() const { return end_ != End::kNone; }

 private:
  enum class End : uint8_t { kNone, kTargetReached, kNoMoves, kLastSeat };

  void Begin(int seat);
  void Pass();
  // The seat that has won.
  int Winner() const;

  const Rules rules_;
  Table table_;
  End end_ = End::kNone;
};

}  // namespace referee::games::isaac

#endif  // REFEREE_GAMES_ISAAC_STATE_H_
