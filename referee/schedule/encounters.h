// What bots did to each other: the half points that each made against each other bot, which are
// 2 for each match in which it left that one behind, and 1 for each in which they shared a rank.
// Over a bot's opponents they add up to its points. Thread-compatible.
#ifndef REFEREE_SCHEDULE_ENCOUNTERS_H_
#define REFEREE_SCHEDULE_ENCOUNTERS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "referee/rating/block.h"

namespace referee::schedule {

// What a bot did in the blocks in which it met another.
struct Encounter {
  int blocks = 0;
  int64_t points = 0;    // half points that it made against the other
  int64_t possible = 0;  // the most that it could have made
  int64_t wins = 0;      // matches of two seats that it won
};

class Encounters {
 public:
  explicit Encounters(size_t bots) : of_(bots), wins_(bots, 0) {}

  void Add(const rating::BlockOutcome& outcome);
  // A block that counts though it was not played: `a` makes so many half points of `possible`
  // against `b`, and `b` so many against `a`.
  void AddUnplayed(int a, int b, int64_t points_a, int64_t points_b, int64_t possible);
  // Takes out all that was made by a bot, or against it; of matches of more than two seats, who was
  // first stays as it was.
  void Annul(int bot);

  // By opponent; in no order.
  const absl::flat_hash_map<int, Encounter>& of(int bot) const { return of_[bot]; }
  // All zero if they have not met.
  Encounter Between(int bot, int opponent) const;
  // Matches in which the bot was first, alone.
  int64_t wins(int bot) const { return wins_[bot]; }

 private:
  std::vector<absl::flat_hash_map<int, Encounter>> of_;
  std::vector<int64_t> wins_;
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_ENCOUNTERS_H_
