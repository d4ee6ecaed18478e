// A quick player of Hypnosia: the move that it likes best without looking ahead, in a microsecond
// or two. It plays both sides of playouts, and chooses which moves are worth playouts.
//
// It likes pawns captured (those most that were nearly home), places in the centre, own pawns near
// the centre, stacks, and pawns out of reach of others.
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
  // `rules` must outlive this.
  explicit HypnosiaPolicy(const hypnosia::Rules& rules);

  // What each of `legal` is worth to the seat to move, in no particular unit.
  void Rate(const hypnosia::Table& table, absl::Span<const referee::games::Move> legal,
            std::vector<double>* worths) const;

 private:
  // For each space of the rings the dice (bit 0 is a 1) with which others capture what stands
  // there.
  struct Threats {
    std::array<uint8_t, hypnosia::kNowhere + 1> to_pawns{};
    std::array<uint8_t, hypnosia::kNowhere + 1> to_stacks{};
  };

  Threats ThreatsTo(int seat, const hypnosia::Table& table) const;
  // What a pawn on a space has won by getting there.
  double way(hypnosia::Space space) const { return ways_[space]; }
  double Worth(const hypnosia::Table& table, int seat, const Threats& threats) const;

  const hypnosia::Rules& rules_;
  std::vector<double> ways_;  // by space of the rings
};

}  // namespace strong

#endif  // REFEREE_SAMPLE_BOTS_STRONG_HYPNOSIA_POLICY_H_
