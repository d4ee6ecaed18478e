// A fast player of Isaac: a move takes about a tenth of a microsecond for each piece on the board.
//
// It plays both sides when the strong player plays a match on to its end.
#ifndef REFEREE_SAMPLE_BOTS_STRONG_ISAAC_POLICY_H_
#define REFEREE_SAMPLE_BOTS_STRONG_ISAAC_POLICY_H_

#include <array>

#include "referee/games/isaac/state.h"
#include "sample-bots/strong/playouts.h"

namespace strong {

namespace isaac = referee::games::isaac;

// A removal that the rules allow.
struct Removal {
  isaac::Piece piece;
  int points = 0;
  // The points, less a part of the points below the new floor, which can no longer score.
  double worth = 0;

  // The move, with the largest legal advance of the counter.
  referee::games::Move ToMove(const isaac::Rules& rules, const isaac::Table& table) const;
};

struct Removals {
  std::array<Removal, isaac::kPiecesPerSeat> at;
  int count = 0;
};

// The mover's legal removals, highest worth first. REQUIRES: the match is in its scoring.
Removals RateRemovals(const isaac::Table& table);

// Plays `state` to its end. Places long pieces first, at random but preferably in crowded lines.
// Removes the piece with the highest worth. REQUIRES: phase() is not kChance.
void PlayOut(Luck luck, isaac::IsaacState* state);

}  // namespace strong

#endif  // REFEREE_SAMPLE_BOTS_STRONG_ISAAC_POLICY_H_
