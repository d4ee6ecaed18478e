// refctl archive list: finds replays in the archive's index.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "referee/base/command_line.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/ctl/archive/commands.h"
#include "referee/ctl/archive/filter.h"
#include "referee/ctl/archive/shelf.h"
#include "referee/ctl/client.h"
#include "referee/ctl/command.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/table.h"
#include "referee/replay/archive_query.h"

namespace referee::ctl {
namespace {

using replay::ReplaySummary;

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

std::string SeatsText(const ReplaySummary& summary) {
  std::vector<std::string> seats;
  for (const replay::SeatSummary& seat : summary.seats) {
    std::string text = Shown(seat.bot);
    if (seat.rank) absl::StrAppend(&text, " ", *seat.rank);
    if (seat.forfeit) absl::StrAppend(&text, " ", match::CauseName(*seat.forfeit));
    seats.push_back(std::move(text));
  }
  return absl::StrJoin(seats, ", ");
}

Json SeatJson(const replay::SeatSummary& seat) {
  Json json = {{"bot", seat.bot}};
  if (seat.rank) json["rank"] = *seat.rank;
  if (seat.score) json["score"] = *seat.score;
  if (seat.forfeit) json["forfeit"] = std::string(match::CauseName(*seat.forfeit));
  json["used_ns"] = absl::ToInt64Nanoseconds(seat.used);
  return json;
}

Json SeatsJson(const ReplaySummary& summary) {
  Json seats = Json::array();
  for (const replay::SeatSummary& seat : summary.seats) seats.push_back(SeatJson(seat));
  return seats;
}

Cell KnownText(const std::string& text) { return text.empty() ? Cell() : Cell(text); }

Cell BlockOf(const ReplaySummary& summary) {
  if (summary.block.empty()) return Cell();
  return Cell(Json{{"block_id", summary.block}, {"rotation", summary.rotation}});
}

const Columns<replay::FoundReplay>& ReplayColumns() {
  using Found = replay::FoundReplay;
  static const auto* const columns = new Columns<Found>{
      {"match", "match_id", kLeft | kJson, [](const Found& r) { return r.summary.id.text(); }},
      {"created", "create_time", kLeft | kJson,
       [](const Found& r) { return Moment(r.summary.create_time); }},
      {"end_time", kJson, [](const Found& r) { return Moment(r.summary.end_time); }},
      {"game", kLeft | kJson, [](const Found& r) { return r.summary.game; }},
      {"competition_id", kJson, [](const Found& r) { return KnownText(r.summary.competition); }},
      {"block", kJson, [](const Found& r) { return BlockOf(r.summary); }},
      {"turns", kRight | kJson, [](const Found& r) { return r.summary.turns; }},
      {"ending", kLeft | kJson,
       [](const Found& r) { return replay::EndingName(r.summary.ending); }},
      {"opening_roll", kJson, [](const Found& r) { return KnownText(r.summary.opening_roll); }},
      {"bots, ranks", "seats", kLeft | kJson,
       [](const Found& r) { return Cell(SeatsText(r.summary), SeatsJson(r.summary)); }},
      {"bytes", kJson, [](const Found& r) { return r.place.size; }}};
  return *columns;
}

// --- A replay store, which has no index ---

// The page token of a list that begins with the first match created at `time`.
std::string TokenBefore(absl::Time time) {
  uint8_t last[10];
  std::fill(std::begin(last), std::end(last), 0xff);
  return MatchId::Make(time - absl::Milliseconds(1), last).text();
}

const Columns<shelf::ShelvedReplay>& ShelfColumns() {
  using Replay = shelf::ShelvedReplay;
  static const auto* const columns = new Columns<Replay>{
      {"match", "match_id", kLeft | kData, [](const Replay& r) { return r.id.text(); }},
      {"created", "create_time", kLeft | kData,
       [](const Replay& r) { return Moment(r.id.created()); }},
      {"bytes", kRight | kData, &Replay::size}};
  return *columns;
}

absl::StatusOr<std::string> FirstToken(const ListFlags& flags, const replay::ReplayFilter& times) {
  std::string token;
  if (!flags.after.empty()) {
    const absl::StatusOr<MatchId> after = MatchId::Parse(flags.after);
    if (!after.ok()) return At("--after", after.status());
    token = after->text();
  }
  // Ids sort by creation time.
  if (times.from && *times.from > absl::UnixEpoch()) {
    token = std::max(token, TokenBefore(*times.from));
  }
  return token;
}

// Lists a replay store, oldest replays first. Returns kNegative if no replay matches the flags,
// unless --after asks for a next page.
absl::StatusOr<Exit> ListShelf(const ListFlags& flags, const replay::ReplayFilter& times,
                               const Output& output) {
  const absl::StatusOr<std::unique_ptr<shelf::SharedShelf>> shelf = OpenShelf(flags.shelf);
  if (!shelf.ok()) return shelf.status();
  absl::StatusOr<std::string> token = FirstToken(flags, times);
  if (!token.ok()) return token.status();
  std::vector<shelf::ShelvedReplay> replays;
  bool more = true;
  while (more && replays.size() < flags.limit) {
    const uint64_t wanted = flags.limit - replays.size();
    const int size = static_cast<int>(std::min<uint64_t>(wanted, limits::kMaxPageSize));
    absl::StatusOr<shelf::ShelfPage> page = (*shelf)->List("", size, *token);
    if (!page.ok()) return page.status();
    *token = page->next_page_token;
    more = !token->empty();
    for (shelf::ShelvedReplay& replay : page->replays) {
      more = more && !(times.until && replay.id.created() >= *times.until);
      if (!times.until || replay.id.created() < *times.until) replays.push_back(std::move(replay));
    }
  }
  if (replays.empty() && flags.after.empty())
    return Refused(absl::NotFoundError(absl::StrCat(
                       "--shelf ", flags.shelf, ": no replay is there, or none as the flags say")),
                   output);
  output.out() << Printed(ShelfColumns(), replays, flags.json ? Form::kJson : Form::kTable);
  return Exit::kOk;
}

absl::StatusOr<Exit> List(const ListFlags& flags, const Output& output) {
  if (!flags.shelf.empty()) {
    const absl::StatusOr<replay::ReplayFilter> times = ReadFilter(flags.filter, flags.data_dir);
    if (!times.ok()) return times.status();
    return ListShelf(flags, *times, output);
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
  const Form form = flags.json ? Form::kJson : Form::kTable;
  if (!found->empty()) output.out() << Printed(ReplayColumns(), *found, form);
  // An empty next page is not a negative answer.
  const size_t before = flags.before.empty() ? 0 : 1;
  return ExitOf(*whole, *filter, before + found->size(), output);
}

}  // namespace

void AddArchiveList(CLI::App* archive, Chosen* chosen) {
  const auto [list, flags] = AddSubcommand(
      archive, chosen, "list",
      "Lists replays, newest first: all, or those that the flags say\n\n"
      "It asks the archive's index, and reads only replays that are not in it yet; the daemon may "
      "go on meanwhile. The next page begins with --before and the last id of this one. Entries of "
      "packs that cannot be read are named on stderr, and the exit status is 2 then.\n\n"
      "A shelf has no index: with --shelf replays are listed by their times only, oldest first, "
      "and the next page begins with --after and the last id of this one.",
      List);
  list->alias("find");
  CLI::Option* const shelf = AddPlaceFlags(list, &flags->data_dir, &flags->shelf);
  AddFilterFlags(list, &flags->filter);
  AddOption(list, "--limit", "N", &flags->limit, "How many at most; default 50")
      ->check(Whole(1, kMostListed));
  AddOption(list, "--before", "ID", &flags->before, "Older than this match");
  AddOption(list, "--after", "ID", &flags->after, "With --shelf: newer than this match")
      ->needs(shelf);
  for (const char* const asks_index :
       {"--bot", "--opponent", "--seat", "--game", "--competition", "--ending", "--forfeit",
        "--min-turns", "--max-turns", "--before"}) {
    list->get_option(asks_index)->excludes(shelf);
  }
  list->add_flag("--json", flags->json, "Prints a JSON object for each replay, one a line");
}

}  // namespace referee::ctl
