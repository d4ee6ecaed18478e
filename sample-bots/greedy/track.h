// A Hypnosia board as tables: where each die takes a pawn, and how far each space is from the
// centre.
#ifndef REFEREE_SAMPLE_BOTS_GREEDY_TRACK_H_
#define REFEREE_SAMPLE_BOTS_GREEDY_TRACK_H_

#include <array>
#include <vector>

#include "referee/sdk/hypnosia.h"

namespace greedy {

// A space: the rings, one after another from the outermost, then the centre.
using SpaceId = int;
inline constexpr SpaceId kNowhere = -1;

class Track {
 public:
  // REQUIRES: a valid board.
  explicit Track(const referee::sdk::hypnosia::Board& board);

  // The number of ring spaces; also the id of the centre.
  int spaces() const { return static_cast<int>(rolls_.size()) - 1; }
  SpaceId centre() const { return spaces(); }
  int centre_places() const { return centre_places_; }
  // REQUIRES: `ring` is a ring of the board, from 0, or kCentre - kRingA.
  SpaceId id(int ring, int index) const;

  // The end of a walk along the ring, and of a crossing of a bridge, with die 1 to 6. kNowhere
  // without a bridge, or if the die cannot make the crossing.
  SpaceId walk(SpaceId space, int die) const { return walk_[space][die - 1]; }
  SpaceId cross(SpaceId space, int die) const { return cross_[space][die - 1]; }
  // The destination of a pawn from place `depth`, 1 to 4, of a lane.
  SpaceId leave(int lane, int depth, int die) const;

  // The mean number of dice that a lone pawn needs to reach the centre, if it may skip dice.
  double rolls(SpaceId space) const { return rolls_[space]; }
  double rolls_from_lane(int lane, int depth) const;

 private:
  void FindWays(const referee::sdk::hypnosia::Board& board);
  void CountRolls();

  int centre_places_;
  std::vector<int> offsets_;  // by ring
  std::vector<int> sizes_;    // by ring
  std::vector<SpaceId> lane_entries_;
  std::vector<std::array<SpaceId, 6>> walk_;
  std::vector<std::array<SpaceId, 6>> cross_;
  std::vector<double> rolls_;  // by space; the last is the centre, with 0
};

}  // namespace greedy

#endif  // REFEREE_SAMPLE_BOTS_GREEDY_TRACK_H_
