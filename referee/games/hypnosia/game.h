// Hypnosia with its board, seats and options settled. See RULES.md.
#ifndef REFEREE_GAMES_HYPNOSIA_GAME_H_
#define REFEREE_GAMES_HYPNOSIA_GAME_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "referee/games/game.h"
#include "referee/games/hypnosia/table.h"
#include "referee/games/viewable.h"

namespace referee::games::hypnosia {

inline constexpr absl::string_view kGameName = "hypnosia";

class HypnosiaGame final : public Game, public Viewable {
 public:
  // `options` and `source` are the results of Game::options() and Game::source(); they must
  // describe `rules` and `start`. Matches begin as copies of `start`. Null: in the first position.
  HypnosiaGame(std::shared_ptr<const Rules> rules, std::unique_ptr<const State> start,
               std::vector<Option> options, std::vector<Option> source, const Wire* wire);

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

  const Rules& rules() const { return *rules_; }

 private:
  const std::shared_ptr<const Rules> rules_;
  const std::unique_ptr<const State> start_;
};

}  // namespace referee::games::hypnosia

#endif  // REFEREE_GAMES_HYPNOSIA_GAME_H_
