#include "referee/games/game.h"

namespace referee::games {

dice::Label Chance::label() const {
  switch (kind) {
    case Kind::kSetupRoll:
      return dice::Label::Setup(index, seat);
    case Kind::kFirstPlayer:
      return dice::Label::FirstPlayer();
    case Kind::kTurnRoll:
      break;
  }
  return dice::Label::Roll(seat, index);
}

std::string State::Position() const {
  std::string text;
  AppendPosition(&text);
  return text;
}

std::string Game::MoveText(Move move) const {
  std::string text;
  AppendMove(move, &text);
  return text;
}

}  // namespace referee::games
