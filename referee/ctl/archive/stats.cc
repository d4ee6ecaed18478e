// refctl archive stats: counts the replays of an archive by its index.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/time.h"
#include "nlohmann/json.hpp"
#include "referee/ctl/archive/commands.h"
#include "referee/ctl/archive/filter.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/table.h"
#include "referee/ctl/validators.h"
#include "referee/replay/archive_query.h"

namespace referee::ctl {
namespace {

using Json = nlohmann::ordered_json;

struct StatsFlags {
  std::string data_dir;
  FilterFlags filter;
  std::vector<std::string> by;
  std::string format = "text";
};

constexpr replay::CountBy kAll[] = {replay::CountBy::kBot,         replay::CountBy::kOpponent,
                                    replay::CountBy::kSeat,        replay::CountBy::kGame,
                                    replay::CountBy::kOpeningRoll, replay::CountBy::kLength,
                                    replay::CountBy::kEnding};

std::vector<std::string> CountByNames() {
  std::vector<std::string> names;
  for (const replay::CountBy by : kAll) names.emplace_back(replay::CountByName(by));
  return names;
}

std::vector<replay::CountBy> ReadBy(const std::vector<std::string>& names) {
  std::vector<replay::CountBy> all;
  for (const std::string& name : names) {
    for (const replay::CountBy by : kAll) {
      if (replay::CountByName(by) == name) all.push_back(by);
    }
  }
  return all;
}

std::string Fixed(double value) {
  char text[32];
  snprintf(text, sizeof(text), "%.1f", value);
  return text;
}

// The columns after the keys.
const std::vector<std::string>& Figures() {
  static const auto* const names = new std::vector<std::string>{
      "matches", "finished", "won", "tied", "lost", "forfeits", "turns", "used_ms"};
  return *names;
}

// Whether the figures are of one bot each.
bool AreOfBots(const StatsFlags& flags) {
  const auto has = [&](const char* what) {
    return std::find(flags.by.begin(), flags.by.end(), what) != flags.by.end();
  };
  return !flags.filter.bot.empty() || has("bot") || has("opponent") || has("seat");
}

std::vector<std::string> FiguresOf(const replay::ReplayCount& count, bool of_bots) {
  return {
      absl::StrCat(count.matches), absl::StrCat(count.finished),
      absl::StrCat(count.won),     absl::StrCat(count.tied),
      absl::StrCat(count.lost),    absl::StrCat(count.forfeits),
      Fixed(count.turns),          of_bots ? Fixed(absl::ToDoubleMilliseconds(count.used)) : ""};
}

std::string StatsText(const std::vector<std::string>& by,
                      const std::vector<replay::ReplayCount>& counts, bool of_bots) {
  TableRow head = by;
  head.insert(head.end(), Figures().begin(), Figures().end());
  std::vector<TableRow> rows = {head};
  for (const replay::ReplayCount& count : counts) {
    TableRow row;
    for (const std::string& key : count.keys) row.push_back(Shown(key));
    for (std::string& figure : FiguresOf(count, of_bots)) row.push_back(std::move(figure));
    rows.push_back(std::move(row));
  }
  return TableText(std::string(by.size(), 'l') + std::string(Figures().size(), 'r'), rows);
}

std::string StatsCsv(const std::vector<std::string>& by,
                     const std::vector<replay::ReplayCount>& counts, bool of_bots) {
  std::vector<std::string> head = by;
  head.insert(head.end(), Figures().begin(), Figures().end());
  std::string text = CsvLine(head);
  for (const replay::ReplayCount& count : counts) {
    std::vector<std::string> fields = count.keys;
    for (std::string& figure : FiguresOf(count, of_bots)) fields.push_back(std::move(figure));
    text += CsvLine(fields);
  }
  return text;
}

std::string StatsJson(const std::vector<std::string>& by,
                      const std::vector<replay::ReplayCount>& counts, bool of_bots) {
  std::string text;
  for (const replay::ReplayCount& count : counts) {
    Json json = Json::object();
    for (size_t i = 0; i < by.size(); ++i) {
      json[absl::StrReplaceAll(by[i], {{"-", "_"}})] = count.keys[i];
    }
    json.update(Json{{"matches", count.matches},
                     {"finished", count.finished},
                     {"won", count.won},
                     {"tied", count.tied},
                     {"lost", count.lost},
                     {"forfeits", count.forfeits},
                     {"turns", count.turns}});
    if (of_bots) json["used_ns"] = absl::ToInt64Nanoseconds(count.used);
    text += JsonLine(json);
  }
  return text;
}

absl::StatusOr<Exit> Stats(const StatsFlags& flags, const Output& output) {
  if (absl::Status s = CheckArchiveIn(flags.data_dir); !s.ok()) return s;
  const absl::StatusOr<replay::ReplayFilter> filter = ReadFilter(flags.filter, flags.data_dir);
  if (!filter.ok()) return filter.status();
  const absl::StatusOr<replay::WholeIndex> whole = LookIntoArchive(flags.data_dir, output);
  if (!whole.ok()) return whole.status();
  const auto counts = whole->Ask([&](replay::PackIndex* index) {
    return replay::CountReplays(index, *filter, ReadBy(flags.by));
  });
  if (!counts.ok()) return counts.status();
  const bool of_bots = AreOfBots(flags);
  output.out() << (flags.format == "csv"    ? StatsCsv(flags.by, *counts, of_bots)
                   : flags.format == "json" ? StatsJson(flags.by, *counts, of_bots)
                                            : StatsText(flags.by, *counts, of_bots));
  const auto counted = [](size_t sum, const replay::ReplayCount& count) {
    return sum + static_cast<size_t>(count.matches);
  };
  const size_t found = std::accumulate(counts->begin(), counts->end(), size_t{0}, counted);
  return ExitOf(*whole, *filter, found, output);
}

}  // namespace

void AddArchiveStats(CLI::App* archive, Chosen* chosen) {
  const auto [stats, flags] = AddSubcommand<StatsFlags>(
      archive, chosen, "stats",
      "Counts replays: all, or those that the flags say, by what --by says\n\n"
      "It asks the archive's index, and reads only replays that are not in it yet. Entries of "
      "packs\n"
      "that cannot be read are named on stderr, and the exit status is 2 then.\n"
      "By bot, opponent or seat a match counts "
      "once for each that fits, and won, tied and lost are of that bot: against the opponent "
      "where\n"
      "one is named or counted by, else against the best of the others. 'forfeits' are that "
      "bot's;\n"
      "without one, matches in which somebody forfeited. 'turns' is the mean length of a match,\n"
      "'used_ms' the mean of the time that the bot was charged in one, where it is of a bot.",
      Stats);
  AddDataDirFlag(stats, &flags->data_dir);
  AddFilterFlags(stats, &flags->filter);
  stats
      ->add_option("--by", flags->by,
                   "bot, opponent, seat, game, opening-roll, length (in steps of 20 turns), "
                   "ending; several, with commas")
      ->delimiter(',')
      ->check(OneOf(CountByNames()))
      ->type_name("WHAT");
  stats->add_option("--format", flags->format, "text, csv, or json (an object a line)")
      ->check(OneOf({"text", "csv", "json"}))
      ->type_name("FORMAT");
}

}  // namespace referee::ctl
