// A block: n matches of the same n bots with the same dice; each bot has each seat once.
//
// It is the unit of play, pairing and rating (base/rotation.h). Plain values. A bot is its number
// in the list of entrants, from 0; the list only grows.
#ifndef REFEREE_RATING_BLOCK_H_
#define REFEREE_RATING_BLOCK_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace referee::rating {

// The bots of a block, by seat in rotation 0, all different.
struct Pairing {
  std::vector<int> bots;

  friend bool operator==(const Pairing& a, const Pairing& b) { return a.bots == b.bots; }
};

// The result of a played block: the ranks of its bots, match by match.
struct BlockOutcome {
  Pairing pairing;
  // By rotation, then by place in `pairing`: the bot's rank in that match, as 1 2 2 4.
  std::vector<std::vector<int>> ranks;
  // By place: the sum of the game's scores of the bot in these matches. Empty: unknown.
  std::vector<int64_t> scores = {};
};

// Returns the half points of the bot at `place` in a match, where `ranks` is by place. Each bot
// ranked behind it gives 2, each other bot of the same rank 1. With two seats: 2 for a win, 1 for a
// draw.
inline int HalfPoints(const std::vector<int>& ranks, size_t place) {
  int points = -1;  // the bot itself shares its rank
  for (const int other : ranks) points += other > ranks[place] ? 2 : other == ranks[place] ? 1 : 0;
  return points;
}

// Returns the half points of the bot over all matches of a block.
inline int HalfPoints(const BlockOutcome& outcome, size_t place) {
  int points = 0;
  for (const std::vector<int>& ranks : outcome.ranks) points += HalfPoints(ranks, place);
  return points;
}

}  // namespace referee::rating

#endif  // REFEREE_RATING_BLOCK_H_
