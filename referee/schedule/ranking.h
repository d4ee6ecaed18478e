// Scores of bots in a schedule, and the ranking by points or share of points, then tie-breaks.
#ifndef REFEREE_SCHEDULE_RANKING_H_
#define REFEREE_SCHEDULE_RANKING_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/optional.h"
#include "referee/rating/block.h"
#include "referee/schedule/schedule.h"

namespace referee::schedule {

// --- Scores ---

// The results of a bot against one other bot, over the blocks in which they met.
struct Encounter {
  int blocks = 0;
  int64_t points = 0;    // half points that it made against the other
  int64_t possible = 0;  // the most half points that it could have made
  int64_t wins = 0;      // matches of two seats that it won
};

// The half points that each bot made against each other bot.
//
// A match gives 2 for leaving the other behind, 1 for sharing its rank. The half points over all
// opponents add up to the points of the bot. Thread-compatible.
class Encounters {
 public:
  explicit Encounters(size_t bots) : of_(bots), wins_(bots, 0) {}

  void Add(const rating::BlockOutcome& outcome);
  // Adds a block that counts though it was not played: `a` makes `points_a` half points of
  // `possible` against `b`, and `b` makes `points_b` against `a`.
  void AddUnplayed(int a, int b, int64_t points_a, int64_t points_b, int64_t possible);
  // Removes all results by and against a bot, but keeps the wins of matches of more than two seats.
  void Annul(int bot);

  // By opponent, in no order.
  const absl::flat_hash_map<int, Encounter>& of(int bot) const { return of_[bot]; }
  // All zero if they have not met.
  Encounter Between(int bot, int opponent) const;
  // Matches in which the bot alone was first.
  int64_t wins(int bot) const { return wins_[bot]; }

 private:
  std::vector<absl::flat_hash_map<int, Encounter>> of_;
  std::vector<int64_t> wins_;
};

// The score of each bot in a schedule, in half points (rating::HalfPoints). Thread-compatible.
class ScoreSheet {
 public:
  explicit ScoreSheet(size_t bots);

  void AddBot();
  void Add(const rating::BlockOutcome& outcome);
  // Adds points without a block, such as for a bye.
  void AddPoints(int bot, int points) { lines_[bot].points += points; }

  int points(int bot) const { return lines_[bot].points; }
  int blocks(int bot) const { return lines_[bot].blocks; }

  // The lines by bot, unranked. Complete them and pass them to Ranked.
  const std::vector<ScoreLine>& lines() const { return lines_; }

 private:
  std::vector<ScoreLine> lines_;
};

// --- Order. Pure functions ---

// A bot to be ranked.
struct Contender {
  int bot = 0;
  int64_t points = 0;
  // Bots are ranked by points / possible. If `possible` is equal for all, by points. 0: after all
  // others.
  int64_t possible = 1;
  // A bot that left comes after bots that stayed and are level in everything else.
  bool left = false;
  // By TieBreak, in integers of any unit. Rank finds the value of the direct encounter itself.
  std::array<int64_t, kTieBreaks> values{};
};

// A bot with its rank.
struct RankedBot {
  int bot = 0;
  int rank = 1;  // competition rank: 1 2 2 4
  // Half points made in the direct encounter among the bots that were level; not set if it was not
  // used or could not decide.
  absl::optional<int64_t> direct;
};

// Returns the bots, best first. Bots that are level in everything, including whether they left,
// share a rank and are ordered by number.
//
// COMPETITION.md, "Tie-breaks", says how a direct encounter decides.
std::vector<RankedBot> Rank(const std::vector<Contender>& contenders,
                            const std::vector<TieBreak>& tie_breaks, const Encounters& encounters);

// Returns the lines ordered by points, then bot, best first; lines with equal points share a rank.
std::vector<ScoreLine> Ranked(std::vector<ScoreLine> lines);

// Returns the lines in the order of Rank, with ranks and values of the tie-breaks. Buchholz values
// are in half points; Sonneborn-Berger values are sums of opponents' half points, each times the
// half points made against that opponent. REQUIRES: a contender for each line; lines are by bot;
// `seats` is that of a match.
std::vector<ScoreLine> Ranked(const std::vector<ScoreLine>& lines,
                              const std::vector<Contender>& contenders,
                              const std::vector<TieBreak>& tie_breaks, const Encounters& encounters,
                              int seats);

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_RANKING_H_
