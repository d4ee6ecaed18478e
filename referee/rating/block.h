// A block, the unit of play, of pairing and of rating: the same dice for every rotation of the
// seats, n matches for n seats. In rotation r, seat s is taken by the bot that has seat
// (s + r) mod n in rotation 0. Plain values; bots are their places in the list of entrants, from 0,
// which only grows.
#ifndef REFEREE_RATING_BLOCK_H_
#define REFEREE_RATING_BLOCK_H_

#include <cstdint>
#include <vector>

namespace referee::rating {

// Who plays a block: entrants, by seat in rotation 0, all different.
struct Pairing {
  std::vector<int> bots;

  friend bool operator==(const Pairing& a, const Pairing& b) { return a.bots == b.bots; }
};

// How one match of a block ended, by place in Pairing::bots, not by seat.
struct MatchOutcome {
  std::vector<int> ranks;   // competition ranks: 1 2 2 4
  std::vector<int> scores;  // the game's points
  // Whether the bot was taken out because it did not answer in time, or its link was lost.
  std::vector<bool> silent;
};

// A block of which every match has a result.
struct BlockOutcome {
  Pairing pairing;
  std::vector<MatchOutcome> matches;  // by rotation
};

// Half points of the bot at `place` in a match of two seats: 2 for a win, 1 for a draw, 0.
inline int HalfPoints(const MatchOutcome& match, int place) {
  const int mine = match.ranks[place];
  const int other = match.ranks[1 - place];
  return mine < other ? 2 : mine == other ? 1 : 0;
}

}  // namespace referee::rating

#endif  // REFEREE_RATING_BLOCK_H_
