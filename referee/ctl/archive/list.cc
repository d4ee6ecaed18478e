// refctl archive list: finds replays by the archive's index.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "nlohmann/json.hpp"
#include "referee/base/errors.h"
#include "referee/ctl/archive/commands.h"
#include "referee/ctl/archive/filter.h"
#include "referee/ctl/archive/shelf.h"
#include "referee/ctl/errors.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/table.h"
#include "referee/ctl/validators.h"
#include "referee/replay/archive_query.h"

namespace referee::ctl {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kMostListed = 1'000'000;

struct ListFlags {
  std::string data_dir;
  std::string shelf;
  FilterFlags filter;
  uint64_t limit = 50;
  std::string before;
  std::string after;
  bool json = false;
};

std::string TimeText(absl::Time time) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", time, absl::UTCTimeZone());
}

std::string SeatsText(const replay::ReplaySummary& summary) {
  std::vector<std::string> seats;
  for (const replay::SeatSummary& seat : summary.seats) {
    std::string text = Shown(seat.bot);
    if (seat.rank) absl::StrAppend(&text, " ", *seat.rank);
    if (seat.forfeit) absl::StrAppend(&text, " ", match::CauseName(*seat.forfeit));
    seats.push_back(std::move(text));
  }
  return absl::StrJoin(seats, ", ");
}

std::string ListText(const std::vector<replay::FoundReplay>& found) {
  std::vector<TableRow> rows = {{"match", "created", "game", "turns", "ending", "bots, ranks"}};
  for (const replay::FoundReplay& replay : found) {
    const replay::ReplaySummary& summary = replay.summary;
    rows.push_back({summary.id.text(), TimeText(summary.create_time), Shown(summary.game),
                    absl::StrCat(summary.turns), std::string(replay::EndingName(summary.ending)),
                    SeatsText(summary)});
  }
  return TableText("lllrll", rows);
}

Json SeatJson(const replay::SeatSummary& seat) {
  Json json = {{"bot", seat.bot}};
  if (seat.rank) json["rank"] = *seat.rank;
  if (seat.score) json["score"] = *seat.score;
  if (seat.forfeit) json["forfeit"] = std::string(match::CauseName(*seat.forfeit));
  json["used_ns"] = absl::ToInt64Nanoseconds(seat.used);
  return json;
}

std::string ReplayJson(const replay::FoundReplay& found) {
  const replay::ReplaySummary& summary = found.summary;
  Json json = {{"match_id", summary.id.text()},
               {"create_time", absl::FormatTime(summary.create_time, absl::UTCTimeZone())},
               {"end_time", absl::FormatTime(summary.end_time, absl::UTCTimeZone())},
               {"game", summary.game}};
  if (!summary.competition.empty()) json["competition_id"] = summary.competition;
  if (!summary.block.empty()) {
    json["block"] = {{"block_id", summary.block}, {"rotation", summary.rotation}};
  }
  json["turns"] = summary.turns;
  json["ending"] = std::string(replay::EndingName(summary.ending));
  if (!summary.opening_roll.empty()) json["opening_roll"] = summary.opening_roll;
  json["seats"] = Json::array();
  for (const replay::SeatSummary& seat : summary.seats) json["seats"].push_back(SeatJson(seat));
  json["bytes"] = found.place.size;
  return JsonLine(json);
}

absl::StatusOr<Exit> List(const ListFlags& flags, const Output& output) {
  if (!flags.shelf.empty()) {
    const absl::StatusOr<replay::ReplayFilter> times = ReadFilter(flags.filter, flags.data_dir);
    if (!times.ok()) return times.status();
    return ListShelf({flags.shelf, times->from, times->until, flags.after, flags.limit, flags.json},
                     output);
  }
  if (flags.data_dir.empty()) return NoArchiveNamed();
  if (absl::Status s = CheckArchiveIn(flags.data_dir); !s.ok()) return s;
  absl::StatusOr<replay::ReplayFilter> filter = ReadFilter(flags.filter, flags.data_dir);
  if (!filter.ok()) return filter.status();
  if (!flags.before.empty()) {
    const absl::StatusOr<MatchId> before = MatchId::Parse(flags.before);
    if (!before.ok()) return At("--before", before.status());
    filter->before = *before;
  }
  const absl::StatusOr<replay::WholeIndex> whole = LookIntoArchive(flags.data_dir, output);
  if (!whole.ok()) return whole.status();
  const auto found = whole->Ask([&](replay::PackIndex* index) {
    return replay::FindReplays(index, *filter, static_cast<int64_t>(flags.limit));
  });
  if (!found.ok()) return found.status();
  if (flags.json) {
    for (const replay::FoundReplay& replay : *found) output.out() << ReplayJson(replay);
  } else if (!found->empty()) {
    output.out() << ListText(*found);
  }
  // That no page follows is no negative answer.
  const size_t before = flags.before.empty() ? 0 : 1;
  return ExitOf(*whole, *filter, before + found->size(), output);
}

}  // namespace

void AddArchiveList(CLI::App* archive, Chosen* chosen) {
  const auto [list, flags] = AddSubcommand<ListFlags>(
      archive, chosen, "list",
      "Lists replays, newest first: all, or those that the flags say\n\n"
      "It asks the archive's index, and reads only replays that are not in it yet; the daemon may\n"
      "go on meanwhile. The next page begins with --before and the last id of this one. Entries "
      "of\n"
      "packs that cannot be read are named on stderr, and the exit status is 2 then.\n\n"
      "A shelf has no index: with --shelf replays are listed by their times only, oldest first, "
      "and\n"
      "the next page begins with --after and the last id of this one.",
      List);
  list->alias("find");
  CLI::Option* const shelf = AddPlaceFlags(list, &flags->data_dir, &flags->shelf);
  AddFilterFlags(list, &flags->filter);
  list->add_option("--limit", flags->limit, "How many at most; default 50")
      ->check(Whole(1, kMostListed))
      ->type_name("N");
  list->add_option("--before", flags->before, "Older than this match")->type_name("ID");
  list->add_option("--after", flags->after, "With --shelf: newer than this match")
      ->needs(shelf)
      ->type_name("ID");
  for (const char* const asks_index :
       {"--bot", "--opponent", "--seat", "--game", "--competition", "--ending", "--forfeit",
        "--min-turns", "--max-turns", "--before"}) {
    list->get_option(asks_index)->excludes(shelf);
  }
  list->add_flag("--json", flags->json, "Prints a JSON object for each replay, one a line");
}

}  // namespace referee::ctl
