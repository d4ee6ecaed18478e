// A Hypnosia board as tables: where a die takes a pawn from each space, and how far it is to the
// centre.
#ifndef REFEREE_SAMPLE_BOTS_GREEDY_TRACK_H_
#define REFEREE_SAMPLE_BOTS_GREEDY_TRACK_H_

#include <array>
#include <vector>

#include "referee/sdk/hypnosia.h"

namespace greedy {

// A space of any ring: ring after ring from the outermost, then the centre.
using SpaceId = int;
inline constexpr SpaceId kNowhere = -1;

class Track {
 public:
  // REQUIRES: a valid board.
  explicit Track(const referee::sdk::hypnosia::Board& board);

  // How many spaces the rings have together; also the id of the centre.
  int spaces() const { return static_cast<int>(rolls_.size()) - 1; }
  SpaceId centre() const { return spaces(); }
  int centre_places() const { return centre_places_; }
  // REQUIRES: 0 <= ring, a ring of the board; or ring is kCentre - kRingA.
  SpaceId id(int ring, int index) const;

  // Where die 1 to 6 takes a pawn along the ring, and across a bridge: kNowhere if there is none,
  // or if the die does not do it.
  SpaceId walk(SpaceId space, int die) const { return walk_[space][die - 1]; }
  SpaceId cross(SpaceId space, int die) const { return cross_[space][die - 1]; }
  // Where a die takes a pawn from place `depth`, 1 to 4, of a lane.
  SpaceId leave(int lane, int depth, int die) const;

  // How many dice a lone pawn needs to the centre on average, if it may wait for those it likes.
  double rolls(SpaceId space) const { return rolls_[space]; }
  double rolls_from_lane(int lane, int depth) const;

 private:
  void FindWays(const referee::sdk::hypnosia::Board& board);
  void CountRolls();

  int centre_places_;
  std::vector<int> offsets_;  // of the rings
  std::vector<int> sizes_;    // of the rings
  std::vector<SpaceId> lane_entries_;
  std::vector<std::array<SpaceId, 6>> walk_;
  std::vector<std::array<SpaceId, 6>> cross_;
  std::vector<double> rolls_;  // with the centre, 0, at the end
};

}  // namespace greedy

#endif  // REFEREE_SAMPLE_BOTS_GREEDY_TRACK_H_
