#include "referee/schedule/score_sheet.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace referee::schedule {

ScoreSheet::ScoreSheet(size_t bots) {
  lines_.reserve(bots);
  for (size_t i = 0; i < bots; ++i) AddBot();
}

void ScoreSheet::AddBot() {
  ScoreLine line;
  line.bot = static_cast<int>(lines_.size());
  lines_.push_back(line);
}

void ScoreSheet::Add(const rating::BlockOutcome& outcome) {
  const std::vector<int>& bots = outcome.pairing.bots;
  for (size_t place = 0; place < bots.size(); ++place) {
    ScoreLine& line = lines_[bots[place]];
    ++line.blocks;
    line.points += rating::HalfPoints(outcome, place);
  }
}

std::vector<ScoreLine> Ranked(std::vector<ScoreLine> lines) {
  const auto worth = [](const ScoreLine& line) {
    return std::make_pair(line.points, line.tie_break);
  };
  std::sort(lines.begin(), lines.end(), [&worth](const ScoreLine& a, const ScoreLine& b) {
    if (worth(a) != worth(b)) return worth(a) > worth(b);
    return a.bot < b.bot;
  });
  for (size_t i = 0; i < lines.size(); ++i) {
    const bool level = i > 0 && worth(lines[i]) == worth(lines[i - 1]);
    lines[i].rank = level ? lines[i - 1].rank : static_cast<int>(i) + 1;
  }
  return lines;
}

}  // namespace referee::schedule
