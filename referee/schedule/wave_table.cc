// The table of a round robin and a gauntlet: what counts, and who stands where by it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "referee/schedule/wave_schedule.h"

namespace referee::schedule {

int WaveSchedule::Missing(int bot, int other) const {
  const std::pair<int, int> pair = std::minmax(bot, other);
  const auto found = void_of_pair_.find(pair);
  const int voided = found == void_of_pair_.end() ? 0 : found->second;
  const int64_t planned = soloist_ >= 0 ? BlocksPerBot(spec_) : Rounds(spec_);
  return static_cast<int>(planned) - encounters_.Between(bot, other).blocks - voided -
         open_.playing(bot, other);
}

void WaveSchedule::Complete(int bot, Counted* counted) const {
  std::vector<ScoreLine>& lines = counted->lines;
  const int64_t block = 2 * int64_t{spec_.seats};  // half points that one can make against one
  if (spec_.seats > 2) {
    // Others play in its place: nobody has a walkover.
    const int64_t missing =
        BlocksPerBot(spec_) - lines[bot].blocks - void_blocks_[bot] - open_.playing(bot);
    lines[bot].forfeited_blocks = static_cast<int>(std::max<int64_t>(0, missing));
    const int against = soloist_ >= 0 ? 1 : spec_.seats - 1;
    counted->lost[bot] = lines[bot].forfeited_blocks * against * block;
    return;
  }
  for (size_t i = 0; i < lines.size(); ++i) {
    const int other = static_cast<int>(i);
    if (other == bot || lines[i].annulled || (soloist_ >= 0 && other != soloist_)) continue;
    const int missing = std::max(0, Missing(bot, other));
    lines[bot].forfeited_blocks += missing;
    if (withdrawn_[other]) {
      // Both have lost it; the pair is looked at from both sides.
      counted->lost[bot] += missing * block;
      continue;
    }
    lines[i].walkovers += missing;
    for (int k = 0; k < missing; ++k) {
      counted->encounters.AddUnplayed(bot, other, 0, block, block);
    }
  }
}

WaveSchedule::Counted WaveSchedule::Count() const {
  Counted counted{sheet_.lines(), encounters_, std::vector<int64_t>(withdrawn_.size(), 0)};
  if (stopped_) return counted;  // it was over for all: nobody left early or late
  std::vector<int> leavers;
  for (ScoreLine& line : counted.lines) {
    if (!withdrawn_[line.bot] || line.bot == soloist_) continue;
    leavers.push_back(line.bot);
    line.annulled = 2 * int64_t{line.blocks} < BlocksPerBot(spec_);
    if (line.annulled) counted.encounters.Annul(line.bot);
  }
  for (const int bot : leavers) {
    if (!counted.lines[bot].annulled) Complete(bot, &counted);
  }
  return counted;
}

Contender WaveSchedule::ContenderOf(int bot, const Counted& counted) const {
  Contender contender;
  contender.bot = bot;
  contender.left = withdrawn_[bot];
  contender.possible = counted.lost[bot];
  contender.values[static_cast<size_t>(TieBreak::kWins)] = counted.encounters.wins(bot);
  int64_t& sonneborn_berger = contender.values[static_cast<size_t>(TieBreak::kSonnebornBerger)];
  for (const auto& [opponent, encounter] : counted.encounters.of(bot)) {
    sonneborn_berger += counted.lines[opponent].points * encounter.points;
    // Those of a gauntlet are compared by what they did to the soloist.
    if (soloist_ >= 0 && bot != soloist_ && opponent != soloist_) continue;
    contender.points += encounter.points;
    contender.possible += encounter.possible;
  }
  return contender;
}

std::vector<ScoreLine> WaveSchedule::Scores() const {
  Counted counted = Count();
  const auto sums = [this, &counted](ScoreLine* line) {
    const Contender contender = ContenderOf(line->bot, counted);
    if (!line->annulled) line->points = static_cast<int>(contender.points);
    if (contender.possible > 0) {
      line->share = static_cast<double>(contender.points) / static_cast<double>(contender.possible);
    }
  };
  for (ScoreLine& line : counted.lines) {
    sums(&line);
    if (line.bot == soloist_) line.remark = "soloist";
    if (withdrawn_[line.bot]) line.remark = "withdrawn";
  }
  std::vector<Contender> contenders;
  for (const ScoreLine& line : counted.lines) {
    if (line.bot == soloist_ || line.annulled) continue;
    contenders.push_back(ContenderOf(line.bot, counted));
  }
  std::vector<ScoreLine> table =
      Ranked(counted.lines, contenders, tie_breaks_, counted.encounters, spec_.seats);
  const auto add_unranked = [&](const ScoreLine& line) {
    table.push_back(line);
    table.back().rank = 0;
    for (const TieBreak tie_break : tie_breaks_) {
      table.back().tie_breaks.push_back({tie_break, absl::nullopt});
    }
  };
  if (soloist_ >= 0) add_unranked(counted.lines[soloist_]);
  for (const ScoreLine& line : counted.lines) {
    if (line.annulled) add_unranked(line);
  }
  return table;
}

}  // namespace referee::schedule
