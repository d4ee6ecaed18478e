#include "referee/games/isaac/game.h"

#include "referee/games/isaac/notation.h"
#include "referee/games/isaac/state.h"

namespace referee::games::isaac {

std::unique_ptr<State> IsaacGame::NewState() const {
  if (start_ != nullptr) return start_->Clone();
  return std::make_unique<IsaacState>(rules_);
}

absl::StatusOr<std::unique_ptr<State>> IsaacGame::ParsePosition(absl::string_view text) const {
  return IsaacState::Parse(rules_, text);
}

void IsaacGame::AppendMove(Move move, std::string* out) const { AppendMoveText(move, out); }

absl::StatusOr<Move> IsaacGame::ParseMove(absl::string_view text) const {
  return ParseMoveText(text);
}

absl::string_view IsaacGame::Legend() const {
  return "a-a-a       a piece of seat a; its length is the number of its letters\n"
         "A B         the counters of the seats, in the scoring, beside the cell that they are on\n"
         ".           a cell without a piece\n"
         "x # inverse what the move that led here placed or took away\n"
         ">           who is to move\n"
         "unplayed    pieces not placed yet, as count x length\n"
         "floor       the length that the next piece to be taken away must have at least\n"
         "began       who began the placement\n"
         "passed      who places no more; in the scoring out: who takes no more away\n";
}

// Seats remove only their own pieces.
bool IsaacGame::Captures(Move) const { return false; }

}  // namespace referee::games::isaac
