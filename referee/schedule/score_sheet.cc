#include "referee/schedule/score_sheet.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace referee::schedule {

int BlockPoints(const rating::BlockOutcome& outcome, int place) {
  int points = 0;
  for (const rating::MatchOutcome& match : outcome.matches) {
    for (size_t other = 0; other < match.ranks.size(); ++other) {
      if (static_cast<int>(other) == place) continue;
      const int mine = match.ranks[place];
      points += mine < match.ranks[other] ? 2 : mine == match.ranks[other] ? 1 : 0;
    }
  }
  return points;
}

ScoreSheet::ScoreSheet(size_t bots) {
  lines_.reserve(bots);
  for (size_t i = 0; i < bots; ++i) AddBot();
}

void ScoreSheet::AddBot() {
  TableRow line;
  line.bot = static_cast<int>(lines_.size());
  lines_.push_back(line);
}

void ScoreSheet::Add(const rating::BlockOutcome& outcome) {
  const std::vector<int>& bots = outcome.pairing.bots;
  for (size_t place = 0; place < bots.size(); ++place) {
    TableRow& line = lines_[bots[place]];
    ++line.blocks;
    line.points += BlockPoints(outcome, static_cast<int>(place));
  }
}

std::vector<TableRow> Ranked(std::vector<TableRow> lines) {
  const auto worth = [](const TableRow& line) {
    return std::make_pair(line.points, line.tie_break);
  };
  std::sort(lines.begin(), lines.end(), [&worth](const TableRow& a, const TableRow& b) {
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
