// A bot for Hypnosia that looks one turn ahead: it plays the move that leads to the best position.
//
// It values captured pawns, places in the centre, own pawns near the centre, and own pawns out of
// reach. Of equally good moves it plays the first, so that a pinned match repeats exactly.
#ifndef REFEREE_SAMPLE_BOTS_GREEDY_HYPNOSIA_BOT_H_
#define REFEREE_SAMPLE_BOTS_GREEDY_HYPNOSIA_BOT_H_

#include <utility>
#include <vector>

#include "referee/sdk/bot.h"
#include "referee/sdk/hypnosia.h"
#include "sample-bots/greedy/track.h"

namespace greedy {

// A position, with the spaces of all rings in one row.
struct Scene {
  struct Lane {
    int number = 0;
    bool pawns[4] = {};
  };
  std::vector<uint32_t> units;  // by space, as in hypnosia::Position::RingState
  std::vector<Lane> lanes;      // by seat
  int in_centre = 0;
};

// Plays one match.
class HypnosiaBot : public referee::sdk::Bot {
 public:
  explicit HypnosiaBot(Track track) : track_(std::move(track)) {}

  referee::sdk::Move ChooseTurn(const referee::sdk::Turn& turn) override;

 private:
  Scene Look(const referee::sdk::Turn& turn) const;
  // Plays a move on `scene`. Returns its immediate gain.
  double Play(const referee::sdk::hypnosia::Move& move, int seat, Scene* scene) const;
  // The value of the pawns of `seat` where they stand.
  double Worth(const Scene& scene, int seat) const;
  double WorthOnRings(const Scene& scene, int seat) const;
  // By space: the dice (bit 0 is a 1) that bring a unit of another seat there. `stacks`: count
  // stacks only, because only a stack captures a stack.
  void MarkThreats(const Scene& scene, int seat, bool stacks, std::vector<uint8_t>* threats) const;

  const Track track_;
};

}  // namespace greedy

#endif  // REFEREE_SAMPLE_BOTS_GREEDY_HYPNOSIA_BOT_H_
