// What bots have scored in a schedule, and the order that it makes: by points, or the share of
// points that they made, and of those that are level by tie-breaks, one after the other.
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

// --- What was scored ---

// What a bot did in the blocks in which it met another.
struct Encounter {
  int blocks = 0;
  int64_t points = 0;    // half points that it made against the other
  int64_t possible = 0;  // the most that it could have made
  int64_t wins = 0;      // matches of two seats that it won
};

// What bots did to each other: the half points that each made against each other bot, which are
// 2 for each match in which it left that one behind, and 1 for each in which they shared a rank.
// Over a bot's opponents they add up to its points. Thread-compatible.
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

// The score of each bot in a schedule, in half points (rating::HalfPoints). Thread-compatible.
class ScoreSheet {
 public:
  explicit ScoreSheet(size_t bots);

  void AddBot();
  void Add(const rating::BlockOutcome& outcome);
  // Points without a block, such as for a bye.
  void AddPoints(int bot, int points) { lines_[bot].points += points; }

  int points(int bot) const { return lines_[bot].points; }
  int blocks(int bot) const { return lines_[bot].blocks; }

  // The lines by bot, unranked, to be completed and given to Ranked.
  const std::vector<ScoreLine>& lines() const { return lines_; }

 private:
  std::vector<ScoreLine> lines_;
};

// --- Order. Pure functions ---

// A bot that is to be ranked.
struct Contender {
  int bot = 0;
  int64_t points = 0;
  // It is ranked by points / possible. The same for all: by points. 0: it comes after all others.
  int64_t possible = 1;
  // Whether it left: it comes after bots that stayed and are level with it in everything else.
  bool left = false;
  // By TieBreak, as integers of any unit; that of the direct encounter is found here.
  std::array<int64_t, kTieBreaks> values{};
};

// A bot, ranked.
struct RankedBot {
  int bot = 0;
  int rank = 1;  // competition rank: 1 2 2 4
  // Half points made in the direct encounter of those who were level when it was looked at; none
  // if it was not, or could not decide.
  absl::optional<int64_t> direct;
};

// Best first; bots that are level in everything, also in whether they left, share a rank, in order
// of their numbers.
//
// COMPETITION.md, "Tie-breaks", says how a direct encounter decides.
std::vector<RankedBot> Rank(const std::vector<Contender>& contenders,
                            const std::vector<TieBreak>& tie_breaks, const Encounters& encounters);

// The lines in order of points, then bot, best first; those that are level share a rank.
std::vector<ScoreLine> Ranked(std::vector<ScoreLine> lines);

// The lines in the order of Rank, with ranks and what the tie-breaks say: values of Buchholz are in
// half points, those of Sonneborn-Berger sums of the half points of opponents, each times the half
// points made against it. REQUIRES: a contender for each line, which are by bot; `seats` are those
// of a match.
std::vector<ScoreLine> Ranked(const std::vector<ScoreLine>& lines,
                              const std::vector<Contender>& contenders,
                              const std::vector<TieBreak>& tie_breaks, const Encounters& encounters,
                              int seats);

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_RANKING_H_
