// Who has how many points. They are half points: of each match a bot gets 2 for each bot that it
// left behind and 1 for each that shares its rank; of two seats, 2 for a win and 1 for a draw.
// Thread-compatible.
#ifndef REFEREE_SCHEDULE_SCORE_SHEET_H_
#define REFEREE_SCHEDULE_SCORE_SHEET_H_

#include <cstddef>
#include <vector>

#include "referee/rating/block.h"
#include "referee/schedule/schedule.h"

namespace referee::schedule {

// The half points of the bot at `place` in all matches of a block.
int BlockPoints(const rating::BlockOutcome& outcome, int place);

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
  const std::vector<TableRow>& lines() const { return lines_; }

 private:
  std::vector<TableRow> lines_;
};

// The lines in order of points, then tie_break, then bot, best first; those that are level in the
// first two share a rank.
std::vector<TableRow> Ranked(std::vector<TableRow> lines);

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_SCORE_SHEET_H_
