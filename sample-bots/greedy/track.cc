#include "sample-bots/greedy/track.h"

#include <algorithm>

namespace greedy {
namespace {

namespace hypnosia = referee::sdk::hypnosia;

// Enough rounds for rolls() to converge on any board.
constexpr int kRounds = 200;

}  // namespace

Track::Track(const hypnosia::Board& board) : centre_places_(board.centre_places()) {
  int spaces = 0;
  for (const hypnosia::Board::Ring& ring : board.rings()) {
    offsets_.push_back(spaces);
    sizes_.push_back(ring.size());
    spaces += ring.size();
  }
  lane_entries_.assign(board.lane_entries().begin(), board.lane_entries().end());
  walk_.resize(spaces);
  cross_.resize(spaces);
  rolls_.assign(spaces + 1, 0);
  FindWays(board);
  CountRolls();
}

SpaceId Track::id(int ring, int index) const {
  if (ring == hypnosia::kCentre - hypnosia::kRingA) return centre();
  return offsets_[ring] + index;
}

SpaceId Track::leave(int lane, int depth, int die) const {
  if (die < depth) return kNowhere;
  return (lane_entries_[lane] + die - depth) % sizes_[0];
}

double Track::rolls_from_lane(int lane, int depth) const {
  return 1 + rolls_[leave(lane, depth, std::max(depth, 3))];
}

void Track::FindWays(const hypnosia::Board& board) {
  for (int ring = 0; ring < board.rings_size(); ++ring) {
    for (int index = 0; index < sizes_[ring]; ++index) {
      for (int die = 1; die <= 6; ++die) {
        walk_[id(ring, index)][die - 1] = id(ring, (index + die) % sizes_[ring]);
      }
      cross_[id(ring, index)].fill(kNowhere);
    }
    const bool innermost = ring + 1 == board.rings_size();
    for (const hypnosia::Board::Bridge& bridge : board.rings(ring).bridges()) {
      std::array<SpaceId, 6>& cross = cross_[id(ring, bridge.from())];
      if (innermost) {
        cross[0] = centre();
        continue;
      }
      // One point of the die crosses the bridge, the others walk on.
      for (int die = 1; die <= 6; ++die) {
        cross[die - 1] = id(ring + 1, (bridge.to() + die - 1) % sizes_[ring + 1]);
      }
    }
  }
}

// The mean number of dice is one, plus the mean number from the best destination of the die. Solved
// by fixed-point iteration.
void Track::CountRolls() {
  for (int round = 0; round < kRounds; ++round) {
    for (SpaceId space = spaces() - 1; space >= 0; --space) {
      double sum = 0;
      for (int die = 1; die <= 6; ++die) {
        double best = std::min(rolls_[space], rolls_[walk(space, die)]);
        if (cross(space, die) != kNowhere) best = std::min(best, rolls_[cross(space, die)]);
        sum += best;
      }
      rolls_[space] = 1 + sum / 6;
    }
  }
}

}  // namespace greedy
