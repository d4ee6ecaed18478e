// refctl archive stats: counts the replays of an archive by its index.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "absl/time/time.h"
#include "referee/base/command_line.h"
#include "referee/ctl/archive/commands.h"
#include "referee/ctl/archive/filter.h"
#include "referee/ctl/command.h"
#include "referee/ctl/data_dir.h"
#include "referee/ctl/terminal/print.h"
#include "referee/replay/archive_query.h"

namespace referee::ctl {
namespace {

using replay::ReplayCount;

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

// Whether each row of the figures is about one bot.
bool AreOfBots(const StatsFlags& flags) {
  const auto has = [&](const char* what) {
    return std::find(flags.by.begin(), flags.by.end(), what) != flags.by.end();
  };
  return !flags.filter.bot.empty() || has("bot") || has("opponent") || has("seat");
}

Columns<ReplayCount> CountColumns(const std::vector<std::string>& by, bool of_bots) {
  Columns<ReplayCount> columns;
  for (size_t i = 0; i < by.size(); ++i) {
    const std::string key = absl::StrReplaceAll(by[i], {{"-", "_"}});
    columns.push_back({by[i], key, kLeft | kData, [i](const ReplayCount& c) { return c.keys[i]; }});
  }
  const auto used_ms = [of_bots](const ReplayCount& c) {
    return of_bots ? Fixed(absl::ToDoubleMilliseconds(c.used)) : Cell();
  };
  const auto used_ns = [of_bots](const ReplayCount& c) {
    return of_bots ? Cell(absl::ToInt64Nanoseconds(c.used)) : Cell();
  };
  const Columns<ReplayCount> figures = {
      {"matches", kRight | kData, &ReplayCount::matches},
      {"finished", kRight | kData, &ReplayCount::finished},
      {"won", kRight | kData, &ReplayCount::won},
      {"tied", kRight | kData, &ReplayCount::tied},
      {"lost", kRight | kData, &ReplayCount::lost},
      {"forfeits", kRight | kData, &ReplayCount::forfeits},
      {"turns", kRight | kData, [](const ReplayCount& c) { return Fixed(c.turns); }},
      {"used_ms", kRight | kCsv, used_ms},
      {"used_ns", kJson, used_ns}};
  columns.insert(columns.end(), figures.begin(), figures.end());
  return columns;
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
  const Form form = flags.format == "csv"    ? Form::kCsv
                    : flags.format == "json" ? Form::kJson
                                             : Form::kTable;
  output.out() << Printed(CountColumns(flags.by, AreOfBots(flags)), *counts, form);
  const auto counted = [](size_t sum, const ReplayCount& count) {
    return sum + static_cast<size_t>(count.matches);
  };
  const size_t found = std::accumulate(counts->begin(), counts->end(), size_t{0}, counted);
  return ExitOf(*whole, *filter, found, output);
}

}  // namespace

void AddArchiveStats(CLI::App* archive, Chosen* chosen) {
  const auto [stats, flags] = AddSubcommand(
      archive, chosen, "stats",
      "Counts replays: all, or those that the flags say, by what --by says\n\n"
      "It asks the archive's index, and reads only replays that are not in it yet. Entries of "
      "packs\n"
      "that cannot be read are named on stderr, and the exit status is 2 then.\n"
      "By bot, opponent or seat a match counts once for each that fits, and won, tied and lost are "
      "of that bot: against the opponent where one is named or counted by, else against the best "
      "of the others. 'forfeits' are that bot's; without one, matches in which somebody forfeited. "
      "'turns' is the mean length of a match, 'used_ms' the mean of the time that the bot was "
      "charged in one, where it is of a bot.",
      Stats);
  AddDataDirFlag(stats, &flags->data_dir);
  AddFilterFlags(stats, &flags->filter);
  AddOption(stats, "--by", "WHAT", &flags->by,
            "bot, opponent, seat, game, opening-roll, length (in steps of 20 turns), "
            "ending; several, with commas")
      ->delimiter(',')
      ->check(OneOf(CountByNames()));
  AddOption(stats, "--format", "FORMAT", &flags->format, "text, csv, or json (an object a line)")
      ->check(OneOf({"text", "csv", "json"}));
}

}  // namespace referee::ctl
