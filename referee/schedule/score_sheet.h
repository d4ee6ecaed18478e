// The score of each bot in a schedule, in half points (rating::HalfPoints), and the order that it
// makes. Thread-compatible.
#ifndef REFEREE_SCHEDULE_SCORE_SHEET_H_
#define REFEREE_SCHEDULE_SCORE_SHEET_H_

#include <cstddef>
#include <vector>

#include "referee/rating/block.h"
#include "referee/schedule/encounters.h"
#include "referee/schedule/ranking.h"
#include "referee/schedule/schedule.h"

namespace referee::schedule {

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

#endif  // REFEREE_SCHEDULE_SCORE_SHEET_H_
