// A block: n matches of the same n bots with the same dice, in which each bot has each seat once
// (base/rotation.h). It is the unit of play, of pairing and of rating. Plain values; a bot is its
// number in the list of entrants, from 0, which only grows.
#ifndef REFEREE_RATING_BLOCK_H_
#define REFEREE_RATING_BLOCK_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace referee::rating {

// Who plays a block: entrants, by seat in rotation 0, all different.
struct Pairing {
  std::vector<int> bots;

  friend bool operator==(const Pairing& a, const Pairing& b) { return a.bots == b.bots; }
};

// What a block that was played says of its bots: who came in before whom, match by match.
struct BlockOutcome {
  Pairing pairing;
  // By rotation, then by place in `pairing`: the bot's rank in that match, as 1 2 2 4.
  std::vector<std::vector<int>> ranks;
  // By place: the sum of the scores that the game gave the bot in these matches. Empty: not known.
  std::vector<int64_t> scores = {};
};

// Half points of the bot at `place` in a match: 2 for each bot ranked behind it, 1 for each that
// shares its rank. So of two seats 2 for a win, 1 for a draw. `ranks` is by place.
inline int HalfPoints(const std::vector<int>& ranks, size_t place) {
  int points = -1;  // it shares its own
  for (const int other : ranks) points += other > ranks[place] ? 2 : other == ranks[place] ? 1 : 0;
  return points;
}

// The same in all matches of a block.
inline int HalfPoints(const BlockOutcome& outcome, size_t place) {
  int points = 0;
  for (const std::vector<int>& ranks : outcome.ranks) points += HalfPoints(ranks, place);
  return points;
}

}  // namespace referee::rating

#endif  // REFEREE_RATING_BLOCK_H_
