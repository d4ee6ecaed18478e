// A fast player of Hypnosia: rates moves without looking ahead, in a microsecond or two.
//
// It plays all sides of playouts, and selects the moves that get playouts. It values captured
// pawns, most of all those that were nearly home. It also values places in the centre, own pawns
// near the centre, stacks, and pawns out of reach of others.
#ifndef REFEREE_SAMPLE_BOTS_STRONG_HYPNOSIA_POLICY_H_
#define REFEREE_SAMPLE_BOTS_STRONG_HYPNOSIA_POLICY_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "referee/games/game.h"
#include "referee/games/hypnosia/table.h"

namespace strong {

namespace hypnosia = referee::games::hypnosia;

// Immutable once made; thread-safe.
class HypnosiaPolicy {
 public:
  // `rules` must outlive this object.
  explicit HypnosiaPolicy(const hypnosia::Rules& rules);

  // Computes the value of each move of `legal` to the seat to move, in no particular unit.
  void Rate(const hypnosia::Table& table, absl::Span<const referee::games::Move> legal,
            std::vector<double>* worths) const;

 private:
  // By ring space: the dice (bit 0 is a 1) with which other seats capture the unit there.
  struct Threats {
    std::array<uint8_t, hypnosia::kNowhere + 1> to_pawns{};
    std::array<uint8_t, hypnosia::kNowhere + 1> to_stacks{};
  };

  Threats ThreatsTo(int seat, const hypnosia::Table& table) const;
  // The value of the distance that a pawn on `space` has covered.
  double way(hypnosia::Space space) const { return ways_[space]; }
  double Worth(const hypnosia::Table& table, int seat, const Threats& threats) const;

  const hypnosia::Rules& rules_;
  std::vector<double> ways_;  // by ring space
};

}  // namespace strong

#endif  // REFEREE_SAMPLE_BOTS_STRONG_HYPNOSIA_POLICY_H_
