#include "referee/games/isaac/game.h"

#include "referee/games/isaac/notation.h"
#include "referee/games/isaac/state.h"

namespace referee::games::isaac {

std::unique_ptr<State> IsaacGame::NewState() const { return std::make_unique<IsaacState>(rules_); }

absl::StatusOr<std::unique_ptr<State>> IsaacGame::ParsePosition(absl::string_view text) const {
  return IsaacState::Parse(rules_, text);
}

void IsaacGame::AppendMove(Move move, std::string* out) const { AppendMoveText(move, out); }

absl::StatusOr<Move> IsaacGame::ParseMove(absl::string_view text) const {
  return ParseMoveText(text);
}

}  // namespace referee::games::isaac
