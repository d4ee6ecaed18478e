// Isaac with its options settled. See RULES.md.
#ifndef REFEREE_GAMES_ISAAC_GAME_H_
#define REFEREE_GAMES_ISAAC_GAME_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/games/game.h"
#include "referee/games/isaac/table.h"
#include "referee/games/viewable.h"

namespace referee::games::isaac {

inline constexpr absl::string_view kGameName = "isaac";

class IsaacGame final : public Game, public Viewable {
 public:
  // `options` are all options that are not empty, sorted by name; they must describe `rules` and
  // `start`. Matches begin as copies of `start`. Null: with the empty board.
  IsaacGame(const Rules& rules, std::unique_ptr<const State> start,
            const std::vector<Option>& options, const Wire* wire)
      : Game(kSeats, options, options, wire), rules_(rules), start_(std::move(start)) {}

  absl::string_view name() const override { return kGameName; }
  std::unique_ptr<State> NewState() const override;
  absl::StatusOr<std::unique_ptr<State>> ParsePosition(absl::string_view text) const override;
  void AppendMove(Move move, std::string* out) const override;
  absl::StatusOr<Move> ParseMove(absl::string_view text) const override;

  absl::string_view Legend() const override;
  bool Captures(Move move) const override;
  BoardGeometry Geometry() const override;
  Scene SceneOf(const State& state, const State* before, Move last) const override;
  std::string Describe(const State& before, Move move) const override;

  const Rules& rules() const { return rules_; }

 private:
  const Rules rules_;
  const std::unique_ptr<const State> start_;
};

}  // namespace referee::games::isaac

#endif  // REFEREE_GAMES_ISAAC_GAME_H_
