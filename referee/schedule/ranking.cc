#include "referee/schedule/ranking.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/container/flat_hash_map.h"

namespace referee::schedule {

void Encounters::Add(const rating::BlockOutcome& outcome) {
  const std::vector<int>& bots = outcome.pairing.bots;
  for (const std::vector<int>& ranks : outcome.ranks) {
    const bool shared = std::count(ranks.begin(), ranks.end(), 1) > 1;
    for (size_t i = 0; i < bots.size(); ++i) {
      if (ranks[i] == 1 && !shared) ++wins_[bots[i]];
    }
  }
  for (size_t i = 0; i < bots.size(); ++i) {
    for (size_t k = 0; k < bots.size(); ++k) {
      if (i == k) continue;
      Encounter& encounter = of_[bots[i]][bots[k]];
      ++encounter.blocks;
      encounter.possible += 2 * static_cast<int64_t>(outcome.ranks.size());
      for (const std::vector<int>& ranks : outcome.ranks) {
        encounter.points += ranks[i] < ranks[k] ? 2 : ranks[i] == ranks[k] ? 1 : 0;
        if (bots.size() == 2 && ranks[i] < ranks[k]) ++encounter.wins;
      }
    }
  }
}

void Encounters::AddUnplayed(int a, int b, int64_t points_a, int64_t points_b, int64_t possible) {
  Encounter& of_a = of_[a][b];
  ++of_a.blocks;
  of_a.points += points_a;
  of_a.possible += possible;
  Encounter& of_b = of_[b][a];
  ++of_b.blocks;
  of_b.points += points_b;
  of_b.possible += possible;
}

void Encounters::Annul(int bot) {
  for (const auto& [opponent, encounter] : of_[bot]) {
    wins_[bot] -= encounter.wins;
    wins_[opponent] -= of_[opponent][bot].wins;
    of_[opponent].erase(bot);
  }
  of_[bot].clear();
}

Encounter Encounters::Between(int bot, int opponent) const {
  const auto found = of_[bot].find(opponent);
  return found == of_[bot].end() ? Encounter() : found->second;
}

namespace {

// Bots that are level so far.
using Level = std::vector<const Contender*>;

// Splits a level by a key, greatest first.
template <typename Key>
void Split(const Level& level, Key key, std::vector<Level>* out) {
  Level sorted = level;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&key](const Contender* a, const Contender* b) { return key(*a) > key(*b); });
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (i == 0 || key(*sorted[i - 1]) > key(*sorted[i])) out->emplace_back();
    out->back().push_back(sorted[i]);
  }
}

// A comparable share of points.
struct Share {
  int64_t points;
  int64_t possible;
  bool operator>(const Share& other) const {
    if (possible == 0 || other.possible == 0) return possible > 0 && other.possible == 0;
    return points * other.possible > other.points * possible;
  }
};

class DirectEncounter {
 public:
  DirectEncounter(const Encounters& encounters, absl::flat_hash_map<int, int64_t>* shown)
      : encounters_(encounters), shown_(*shown) {}

  void Decide(const Level& level, std::vector<Level>* out) {
    if (level.size() < 2) {
      out->push_back(level);
      return;
    }
    if (!HaveMetEquallyOften(level)) {
      DecideWhoIsOutOfReach(level, out);
      return;
    }
    const absl::flat_hash_map<int, int64_t> points = PointsWithin(level);
    for (const auto& [bot, made] : points) shown_.try_emplace(bot, made);
    std::vector<Level> parts;
    Split(
        level, [&points](const Contender& each) { return points.at(each.bot); }, &parts);
    for (const Level& part : parts) {
      if (parts.size() > 1) {
        Decide(part, out);
      } else {
        out->push_back(part);
      }
    }
  }

 private:
  bool HaveMetEquallyOften(const Level& level) const {
    const int blocks = encounters_.Between(level[0]->bot, level[1]->bot).blocks;
    if (blocks == 0) return false;
    for (size_t i = 0; i < level.size(); ++i) {
      for (size_t k = i + 1; k < level.size(); ++k) {
        if (encounters_.Between(level[i]->bot, level[k]->bot).blocks != blocks) return false;
      }
    }
    return true;
  }

  absl::flat_hash_map<int, int64_t> PointsWithin(const Level& level) const {
    absl::flat_hash_map<int, int64_t> points;
    for (const Contender* each : level) {
      int64_t& made = points[each->bot];
      for (const Contender* other : level) {
        made += encounters_.Between(each->bot, other->bot).points;
      }
    }
    return points;
  }

  // The half points of the bot if it had won all missing blocks against the other level bots.
  int64_t Most(const Contender& bot, const Level& level, int most_blocks, int64_t block) const {
    int64_t points = 0;
    for (const Contender* other : level) {
      if (other->bot == bot.bot) continue;
      const Encounter met = encounters_.Between(bot.bot, other->bot);
      points += met.points + (most_blocks - met.blocks) * block;
    }
    return points;
  }

  void DecideWhoIsOutOfReach(Level level, std::vector<Level>* out) {
    while (level.size() > 1) {
      int most_blocks = 0;
      int64_t block = 0;
      for (const Contender* each : level) {
        for (const Contender* other : level) {
          const Encounter met = encounters_.Between(each->bot, other->bot);
          most_blocks = std::max(most_blocks, met.blocks);
          if (met.blocks > 0) block = met.possible / met.blocks;
        }
      }
      const absl::flat_hash_map<int, int64_t> points = PointsWithin(level);
      const auto first = std::find_if(level.begin(), level.end(), [&](const Contender* each) {
        return std::all_of(level.begin(), level.end(), [&](const Contender* other) {
          return other == each || Most(*other, level, most_blocks, block) < points.at(each->bot);
        });
      });
      if (first == level.end()) break;
      shown_.try_emplace((*first)->bot, points.at((*first)->bot));
      out->push_back({*first});
      level.erase(first);
    }
    out->push_back(std::move(level));
  }

  const Encounters& encounters_;
  absl::flat_hash_map<int, int64_t>& shown_;
};

// The value of a tie-break for a bot, in points.
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
      // Half points times half points; a block has 2 * seats half points against one opponent.
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

std::vector<RankedBot> Rank(const std::vector<Contender>& contenders,
                            const std::vector<TieBreak>& tie_breaks, const Encounters& encounters) {
  Level all;
  for (const Contender& contender : contenders) all.push_back(&contender);
  std::sort(all.begin(), all.end(),
            [](const Contender* a, const Contender* b) { return a->bot < b->bot; });
  std::vector<Level> levels;
  Split(
      all,
      [](const Contender& each) {
        return Share{each.points, each.possible};
      },
      &levels);
  absl::flat_hash_map<int, int64_t> direct;
  for (const TieBreak tie_break : tie_breaks) {
    std::vector<Level> finer;
    for (const Level& level : levels) {
      if (level.size() == 1) {
        finer.push_back(level);
      } else if (tie_break == TieBreak::kDirectEncounter) {
        DirectEncounter(encounters, &direct).Decide(level, &finer);
      } else {
        const auto value = [tie_break](const Contender& each) {
          return each.values[static_cast<size_t>(tie_break)];
        };
        Split(level, value, &finer);
      }
    }
    levels = std::move(finer);
  }
  std::vector<Level> finest;
  for (const Level& level : levels) {
    Split(
        level, [](const Contender& each) { return each.left ? 0 : 1; }, &finest);
  }
  std::vector<RankedBot> ranked;
  for (const Level& level : finest) {
    const int rank = static_cast<int>(ranked.size()) + 1;
    for (const Contender* each : level) {
      RankedBot bot{each->bot, rank, absl::nullopt};
      const auto made = direct.find(each->bot);
      if (made != direct.end()) bot.direct = made->second;
      ranked.push_back(bot);
    }
  }
  return ranked;
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
