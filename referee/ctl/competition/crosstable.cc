#include "referee/ctl/competition/crosstable.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "referee/ctl/competition/text.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/table.h"

namespace referee::ctl {
namespace {

using Pairs = google::protobuf::RepeatedPtrField<v1::PairTotal>;
using Standings = google::protobuf::RepeatedPtrField<v1::Standing>;

constexpr char kItself[] = "*";
constexpr char kNotMet[] = "-";

// The pair from the other bot's side.
v1::PairTotal Turned(const v1::PairTotal& pair) {
  v1::PairTotal turned = pair;
  turned.set_bot(pair.opponent());
  turned.set_opponent(pair.bot());
  turned.set_bot_version(pair.opponent_version());
  turned.set_opponent_version(pair.bot_version());
  turned.set_wins(pair.losses());
  turned.set_losses(pair.wins());
  turned.set_points(2 * static_cast<double>(pair.blocks()) - pair.points());
  std::reverse(turned.mutable_blocks_by_points()->begin(),
               turned.mutable_blocks_by_points()->end());
  return turned;
}

void AddTo(v1::PairTotal* sum, const v1::PairTotal& pair) {
  sum->set_blocks(sum->blocks() + pair.blocks());
  sum->set_wins(sum->wins() + pair.wins());
  sum->set_draws(sum->draws() + pair.draws());
  sum->set_losses(sum->losses() + pair.losses());
  sum->set_points(sum->points() + pair.points());
}

std::string OpponentText(const v1::PairTotal& pair) {
  return BotText(pair.opponent(), pair.opponent_version());
}

std::string MatchesCell(const v1::PairTotal& pair) {
  return absl::StrCat(pair.wins(), "-", pair.draws(), "-", pair.losses());
}

std::string PointsCell(const v1::PairTotal& pair) {
  return absl::StrFormat("%.1f (%d)", pair.points(), pair.blocks());
}

// The share of the possible points, such as "62.5%".
std::string ShareCell(const v1::PairTotal& pair) {
  if (pair.blocks() == 0) return kNotMet;
  return absl::StrFormat("%.1f%%", 50 * pair.points() / static_cast<double>(pair.blocks()));
}

// The bots of the matrix, and the results of each pair.
class Grid {
 public:
  Grid(const Standings& standings, const Pairs& pairs) {
    for (const v1::Standing& line : standings) PlaceOf(BotText(line.bot(), line.version()));
    for (const v1::PairTotal& pair : pairs) {
      // A bot may have joined after the standings were made.
      const std::pair<size_t, size_t> at = {
          PlaceOf(BotText(pair.bot(), pair.bot_version())),
          PlaceOf(BotText(pair.opponent(), pair.opponent_version()))};
      cells_[at] = pair;
      cells_[{at.second, at.first}] = Turned(pair);
    }
  }

  const std::vector<std::string>& bots() const { return bots_; }
  // Null if the two have not met.
  const v1::PairTotal* Cell(size_t bot, size_t opponent) const {
    const auto found = cells_.find({bot, opponent});
    return found == cells_.end() ? nullptr : &found->second;
  }

 private:
  size_t PlaceOf(const std::string& bot) {
    const auto [found, added] = places_.try_emplace(bot, bots_.size());
    if (added) bots_.push_back(bot);
    return found->second;
  }

  std::vector<std::string> bots_;
  absl::flat_hash_map<std::string, size_t> places_;
  absl::flat_hash_map<std::pair<size_t, size_t>, v1::PairTotal> cells_;
};

// The two lines of a bot.
std::pair<TableRow, TableRow> RowsOf(const Grid& grid, size_t bot) {
  constexpr size_t kAll = 2;  // the column of its totals
  TableRow matches = {absl::StrCat(bot + 1), grid.bots()[bot], ""};
  TableRow points = {"", "", ""};
  v1::PairTotal all;
  for (size_t opponent = 0; opponent < grid.bots().size(); ++opponent) {
    const v1::PairTotal* const cell = grid.Cell(bot, opponent);
    if (cell != nullptr) AddTo(&all, *cell);
    matches.push_back(cell != nullptr ? MatchesCell(*cell) : bot == opponent ? kItself : kNotMet);
    points.push_back(cell != nullptr ? PointsCell(*cell) : "");
  }
  matches[kAll] = MatchesCell(all);
  points[kAll] = PointsCell(all);
  return {std::move(matches), std::move(points)};
}

}  // namespace

absl::optional<std::string> CrosstableMatrix(const Standings& standings, const Pairs& pairs,
                                             size_t width) {
  const Grid grid(standings, pairs);
  if (grid.bots().size() > kMostBotsInMatrix) return absl::nullopt;
  std::vector<TableRow> rows = {{"", "bot", "all"}};
  for (size_t bot = 0; bot < grid.bots().size(); ++bot) {
    rows.front().push_back(absl::StrCat(bot + 1));
  }
  for (size_t bot = 0; bot < grid.bots().size(); ++bot) {
    auto [matches, points] = RowsOf(grid, bot);
    rows.push_back(std::move(matches));
    rows.push_back(std::move(points));
  }
  const std::string align = "rl" + std::string(1 + grid.bots().size(), 'r');
  std::string text = TableText(align, rows);
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    if (TextWidth(line) > width) return absl::nullopt;
  }
  absl::StrAppend(&text, "matches won-drawn-lost, below them points (blocks), of the line's bot\n");
  return text;
}

const Columns<v1::PairTotal>& PairColumns() {
  using Pair = v1::PairTotal;
  static const auto* const columns = new Columns<Pair>{
      {"bot", kLeft, [](const Pair& pair) { return BotText(pair.bot(), pair.bot_version()); }},
      {"opponent", kLeft, OpponentText},
      {"bot", kCsv, &Pair::bot},
      {"opponent", kCsv, &Pair::opponent},
      {"blocks", kRight | kCsv, &Pair::blocks},
      {"won-drawn-lost", kRight, MatchesCell},
      {"wins", kCsv, &Pair::wins},
      {"draws", kCsv, &Pair::draws},
      {"losses", kCsv, &Pair::losses},
      {"points", kRight | kCsv, [](const Pair& pair) { return Fixed(pair.points()); }},
      {"share", kRight, ShareCell},
      {"blocks_0", kCsv, Nth(&Pair::blocks_by_points, 0)},
      {"blocks_half", kCsv, Nth(&Pair::blocks_by_points, 1)},
      {"blocks_1", kCsv, Nth(&Pair::blocks_by_points, 2)},
      {"blocks_1_half", kCsv, Nth(&Pair::blocks_by_points, 3)},
      {"blocks_2", kCsv, Nth(&Pair::blocks_by_points, 4)},
      {"bot_version", kCsv, &Pair::bot_version},
      {"opponent_version", kCsv, &Pair::opponent_version}};
  return *columns;
}

std::string OpponentsText(const Standings& standings, const Pairs& pairs) {
  // An opponent occurs several times if the bot itself has several versions.
  absl::flat_hash_map<std::string, v1::PairTotal> unlisted;
  for (const v1::PairTotal& pair : pairs) AddTo(&unlisted[OpponentText(pair)], pair);
  std::vector<TableRow> rows = {
      {"rank", "opponent", "elo", "blocks", "won-drawn-lost", "points", "share"}};
  v1::PairTotal all;
  const auto add = [&](const std::string& rank, const std::string& opponent, const std::string& elo,
                       const v1::PairTotal& pair) {
    rows.push_back({rank, opponent, elo, absl::StrCat(pair.blocks()), MatchesCell(pair),
                    absl::StrFormat("%.1f", pair.points()), ShareCell(pair)});
  };
  for (const v1::Standing& line : standings) {
    const auto found = unlisted.find(BotText(line.bot(), line.version()));
    if (found == unlisted.end()) continue;
    add(RankText(line), found->first, EloText(line), found->second);
    unlisted.erase(found);
  }
  for (const v1::PairTotal& pair : pairs) {
    AddTo(&all, pair);
    // An opponent may have joined after the standings were made.
    const auto found = unlisted.find(OpponentText(pair));
    if (found == unlisted.end()) continue;
    add(kNotMet, found->first, kNotMet, found->second);
    unlisted.erase(found);
  }
  add("", "all", "", all);
  return TableText("rlrrrrr", rows);
}

}  // namespace referee::ctl
