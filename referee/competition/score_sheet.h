// Who has how many points. They are half points: of each match a bot gets 2 for each bot that it
// left behind and 1 for each that shares its rank; of two seats, 2 for a win and 1 for a draw.
// Thread-compatible.
#ifndef REFEREE_COMPETITION_SCORE_SHEET_H_
#define REFEREE_COMPETITION_SCORE_SHEET_H_

#include <cstddef>
#include <vector>

#include "referee/competition/block.h"
#include "referee/competition/schedule.h"

namespace referee::competition {

// The half points of the bot at `place` in all matches of a block.
int BlockPoints(const BlockOutcome& outcome, int place);

class ScoreSheet {
 public:
  explicit ScoreSheet(size_t bots);

  void AddBot();
  void Add(const BlockOutcome& outcome);
  // Points without a block, such as for a bye.
  void AddPoints(int bot, int points) { lines_[bot].points += points; }

  int points(int bot) const { return lines_[bot].points; }
  int blocks(int bot) const { return lines_[bot].blocks; }

  // The lines by bot, unranked, to be completed and given to Ranked.
  const std::vector<Place>& lines() const { return lines_; }

 private:
  std::vector<Place> lines_;
};

// The lines in order of points, then tie_break, then bot, best first; those that are level in the
// first two share a rank.
std::vector<Place> Ranked(std::vector<Place> lines);

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_SCORE_SHEET_H_
