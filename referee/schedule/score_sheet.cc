#include "referee/schedule/score_sheet.h"

#include <algorithm>
#include <utility>

namespace referee::schedule {
namespace {

// What a tie-break says of a bot, in points.
absl::optional<double> Shown(const Contender& contender, const RankedBot& bot, TieBreak tie_break,
                             int seats) {
  const auto value = static_cast<double>(contender.values[static_cast<size_t>(tie_break)]);
  switch (tie_break) {
    case TieBreak::kBuchholz:
    case TieBreak::kBuchholzCut1:
      return value / 2;
    case TieBreak::kDirectEncounter:
      if (!bot.direct.has_value()) return absl::nullopt;
      return static_cast<double>(*bot.direct) / 2;
    case TieBreak::kSonnebornBerger:
      // Half points, times half points of 2 * seats that a block has against one opponent.
      return value / (4.0 * seats);
    case TieBreak::kWins:
      return value;
  }
  return absl::nullopt;
}

}  // namespace

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
  std::sort(lines.begin(), lines.end(), [](const ScoreLine& a, const ScoreLine& b) {
    if (a.points != b.points) return a.points > b.points;
    return a.bot < b.bot;
  });
  for (size_t i = 0; i < lines.size(); ++i) {
    const bool level = i > 0 && lines[i].points == lines[i - 1].points;
    lines[i].rank = level ? lines[i - 1].rank : static_cast<int>(i) + 1;
  }
  return lines;
}

std::vector<ScoreLine> Ranked(const std::vector<ScoreLine>& lines,
                              const std::vector<Contender>& contenders,
                              const std::vector<TieBreak>& tie_breaks, const Encounters& encounters,
                              int seats) {
  std::vector<const Contender*> by_bot(lines.size(), nullptr);
  for (const Contender& contender : contenders) by_bot[contender.bot] = &contender;
  std::vector<ScoreLine> ranked;
  ranked.reserve(contenders.size());
  for (const RankedBot& bot : Rank(contenders, tie_breaks, encounters)) {
    ScoreLine line = lines[bot.bot];
    line.rank = bot.rank;
    for (const TieBreak tie_break : tie_breaks) {
      line.tie_breaks.push_back({tie_break, Shown(*by_bot[bot.bot], bot, tie_break, seats)});
    }
    ranked.push_back(std::move(line));
  }
  return ranked;
}

}  // namespace referee::schedule
