// The score of each bot in a schedule, in half points (rating::HalfPoints), and the order that it
// makes. Thread-compatible.
#ifndef REFEREE_SCHEDULE_SCORE_SHEET_H_
#define REFEREE_SCHEDULE_SCORE_SHEET_H_

#include <cstddef>
#include <vector>

#include "referee/rating/block.h"
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

// The lines in order of points, then tie_break, then bot, best first; those that are level in the
// first two share a rank.
std::vector<ScoreLine> Ranked(std::vector<ScoreLine> lines);

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_SCORE_SHEET_H_
