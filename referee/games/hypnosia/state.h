// A match of Hypnosia being played. RULES.md has the rules, games/game.h the contract.
//
// Only Clone, positions, drawings, outcomes and errors allocate. Thread-compatible.
#ifndef REFEREE_GAMES_HYPNOSIA_STATE_H_
#define REFEREE_GAMES_HYPNOSIA_STATE_H_

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "referee/games/game.h"
#include "referee/games/hypnosia/table.h"

namespace referee::games::hypnosia {

class HypnosiaState final : public State {
 public:
  // Makes the state before the first start roll.
  explicit HypnosiaState(std::shared_ptr<const Rules> rules);
  // Returns InvalidArgument with the field and its offset unless `text` is a position string that
  // these rules allow.
  static absl::StatusOr<std::unique_ptr<State>> Parse(std::shared_ptr<const Rules> rules,
                                                      absl::string_view text);
  // Parses a start position: the seat to move begins, and has not rolled yet. Refuses a position
  // that is over or in which a seat has forfeited. The dice in `text` may be '-', and are replaced
  // by '-'.
  static absl::StatusOr<std::unique_ptr<State>> ParseStart(std::shared_ptr<const Rules> rules,
                                                           std::string* text);

  std::unique_ptr<State> Clone() const override;
  void CopyFrom(const State& other) override;
  Phase phase() const override { return phase_; }
  Chance chance() const override;
  void ApplyChance(absl::Span<const int> outcome) override;
  Seat seat_to_move() const override { return Seat(table_.mover); }
  Seat first_seat() const override { return Seat(table_.first); }
  absl::Span<const int> roll() const override { return table_.dice; }
  absl::Status SetRoll(absl::Span<const int> dice) override;
  void LegalMoves(std::vector<Move>* moves) const override;
  absl::StatusOr<Move> Resolve(Move claimed, absl::Span<const Move> legal) const override;
  void Apply(Move move) override;
  void Forfeit(Seat seat) override;
  bool forfeited(Seat seat) const override { return HasForfeited(table_, seat.index()); }
  Outcome outcome() const override;
  int score(Seat seat) const override { return ScoreOf(*rules_, table_, seat.index()); }
  void AppendPosition(std::string* out) const override;
  std::string Draw(const DrawStyle& style, Move last) const override;

  const Rules& rules() const { return *rules_; }
  const Table& table() const { return table_; }

 private:
  enum class End : uint8_t { kNone, kLastSeat, kCentreFull, kNoPawns, kTurnLimit };

  // The start rolls. `rolling` has a bit for each seat that rolls in this round.
  struct Setup {
    int round = 0;
    int seat = 0;
    uint8_t rolling = 0;
    std::array<int, kMaxSeats> sums{};
  };

  HypnosiaState(const HypnosiaState& other);

  void ApplySetupRoll(int sum);
  void AwaitRoll(int seat);
  // The end that follows from the position itself, if any; ignores the turn limit.
  End EndOnTable() const;
  void FinishOrPass(End end);
  std::vector<int> Ranks(const std::vector<int>& scores) const;

  const std::shared_ptr<const Rules> rules_;
  Phase phase_ = Phase::kChance;
  End end_ = End::kNone;
  Setup setup_;
  Table table_;
};

}  // namespace referee::games::hypnosia

#endif  // REFEREE_GAMES_HYPNOSIA_STATE_H_
