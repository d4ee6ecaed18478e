// A quick player of Isaac: moves that are not bad, each in about a tenth of a microsecond for each
// piece on the board. It plays both sides when the strong player plays a match on to its end.
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
  // The points, less a part of what lies below the new floor and is lost with it.
  double worth = 0;

  // The move, with the counter as far on as it may go.
  referee::games::Move ToMove(const isaac::Rules& rules, const isaac::Table& table) const;
};

struct Removals {
  std::array<Removal, isaac::kPiecesPerSeat> at;
  int count = 0;
};

// What the mover may remove, with the highest worth first. REQUIRES: the match is in its scoring.
Removals RateRemovals(const isaac::Table& table);

// Plays `state` to its end: pieces are placed at random, long ones first, with an eye on crowded
// lines; of the removals that of the highest worth is played. REQUIRES: phase() is not kChance.
void PlayOut(Luck luck, isaac::IsaacState* state);

}  // namespace strong

#endif  // REFEREE_SAMPLE_BOTS_STRONG_ISAAC_POLICY_H_
