// refctl competition standings, crosstable, export, rounds, bracket: shows a competition's results.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "referee/base/command_line.h"
#include "referee/base/errors.h"
#include "referee/ctl/client.h"
#include "referee/ctl/competition/commands.h"
#include "referee/ctl/competition/crosstable.h"
#include "referee/ctl/competition/rounds.h"
#include "referee/ctl/competition/shown_standings.h"
#include "referee/ctl/competition/tables.h"
#include "referee/ctl/competition/text.h"
#include "referee/ctl/replay/export_file.h"
#include "referee/ctl/terminal/live_screen.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/table.h"

namespace referee::ctl {
namespace {

struct TableFlags {
  ClientFlags client;
  std::string name;
  bool json = false;
  std::string anchor;
  uint64_t min_blocks = 0;
  uint32_t season = 0;  // 0: the current one
  // standings
  bool wide = false;
  // crosstable
  std::string bot;
  // export
  std::string what;
  OutputFlags output;
  // crosstable and export
  std::string format;
};

// --- standings ---

v1::GetStandingsRequest StandingsRequest(const TableFlags& flags) {
  auto request = About<v1::GetStandingsRequest>(flags);
  request.set_season(flags.season);
  return request;
}

absl::StatusOr<ShownStandings> ReadShown(const TableFlags& flags) {
  ShownStandings shown;
  shown.min_blocks = flags.min_blocks;
  if (flags.anchor.empty()) return shown;
  absl::StatusOr<Anchor> anchor = ParseAnchor(flags.anchor);
  if (!anchor.ok()) return anchor.status();
  shown.anchor = *std::move(anchor);
  return shown;
}

absl::StatusOr<Exit> ShowStandings(const TableFlags& flags, const Output& output) {
  const absl::StatusOr<ShownStandings> shown = ReadShown(flags);
  if (!shown.ok()) return shown.status();
  const absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags.client);
  if (!client.ok()) return client.status();
  auto table = client->Call(&CompetitionStub::GetStandings, StandingsRequest(flags));
  if (!table.ok()) return Refused(table.status(), output);
  const absl::StatusOr<std::string> done = Choose(*shown, &*table);
  if (!done.ok()) return done.status();
  const size_t width = output.out_is_terminal() ? TerminalSize().columns : 0;
  const StandingsStyle style = {flags.wide, shown->anchor.has_value(), width};
  output.out() << (flags.json
                       ? JsonLine(*table)
                       : StandingsText(table->competition(), table->standings(), style) + *done);
  return Exit::kOk;
}

// --- crosstable ---

v1::ListPairsRequest PairsRequest(const TableFlags& flags) {
  auto request = About<v1::ListPairsRequest>(flags);
  request.set_season(flags.season);
  request.set_bot(flags.bot);
  return request;
}

absl::StatusOr<Exit> PrintPairs(const CompetitionClient& client, const TableFlags& flags,
                                const Output& output, Form form, absl::string_view header = "") {
  const auto pairs = [](const v1::ListPairsResponse& page) -> const auto& { return page.pairs(); };
  return PrintPages(client, &CompetitionStub::ListPairs, PairsRequest(flags), PairColumns(), pairs,
                    form, output, header);
}

// Prints a matrix if it fits, else a list of pairs; for one bot, a list of its opponents.
absl::StatusOr<Exit> PrintCrosstable(const CompetitionClient& client, const TableFlags& flags,
                                     const Output& output) {
  const auto table = client.Call(&CompetitionStub::GetStandings, StandingsRequest(flags));
  if (!table.ok()) return Refused(table.status(), output);
  const std::string header =
      absl::StrCat(Shown(flags.name), ": ", ProgressText(table->competition()), "\n");
  if (flags.bot.empty() && table->standings_size() > kMostBotsInMatrix) {
    return PrintPairs(client, flags, output, Form::kTable, header);
  }
  v1::ListPairsResponse all;
  const absl::Status listed = client.ForEachPage(&CompetitionStub::ListPairs, PairsRequest(flags),
                                                 [&](const v1::ListPairsResponse& page) {
                                                   all.mutable_pairs()->MergeFrom(page.pairs());
                                                   return true;
                                                 });
  if (!listed.ok()) return Refused(listed, output);
  output.out() << header;
  if (!flags.bot.empty()) {
    output.out() << OpponentsText(table->standings(), all.pairs());
    return Exit::kOk;
  }
  const size_t width = output.out_is_terminal() ? TerminalSize().columns : ScreenSize().columns;
  output.out() << CrosstableMatrix(table->standings(), all.pairs(), width)
                      .value_or(Printed(PairColumns(), all.pairs(), Form::kTable));
  return Exit::kOk;
}

absl::StatusOr<Exit> Crosstable(const TableFlags& flags, const Output& output) {
  const absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags.client);
  if (!client.ok()) return client.status();
  if (flags.json) return PrintPairs(*client, flags, output, Form::kJson);
  if (flags.format == "csv") return PrintPairs(*client, flags, output, Form::kCsv);
  return PrintCrosstable(*client, flags, output);
}

// --- export ---

absl::Status WriteStandings(const CompetitionClient& client, const TableFlags& flags,
                            const ShownStandings& shown, Form form, ExportFile* file) {
  auto table = client.Call(&CompetitionStub::GetStandings, StandingsRequest(flags));
  if (!table.ok()) return table.status();
  const absl::StatusOr<std::string> done = Choose(shown, &*table);
  if (!done.ok()) return done.status();
  return file->Write(Printed(StandingsExport(table->standings()), table->standings(), form));
}

// Writes results by match, or by block and bot.
absl::Status WriteResults(const CompetitionClient& client, const TableFlags& flags, Form form,
                          ExportFile* file) {
  const bool by_match = flags.what == "results";
  const auto shown =
      client.Call(&CompetitionStub::GetCompetition, About<v1::GetCompetitionRequest>(flags));
  if (!shown.ok()) return shown.status();
  const auto seats = static_cast<int>(shown->competition().spec().seats());
  const Columns<MatchOfBlock> results = ResultsExport(seats);
  const Columns<v1::Block> blocks = BlocksExport(seats);
  absl::Status written = file->Write(by_match ? Printed(results, std::vector<MatchOfBlock>(), form)
                                              : Printed(blocks, std::vector<v1::Block>(), form));
  const absl::Status listed = client.ForEachPage(
      &CompetitionStub::ListBlocks, About<v1::ListBlocksRequest>(flags),
      [&](const v1::ListBlocksResponse& page) {
        written.Update(file->Write(
            by_match ? Printed(results, MatchesOf(page.blocks(), /*only_played=*/true), form, false)
                     : Printed(blocks, page.blocks(), form, false)));
        return written.ok();
      });
  written.Update(listed);
  return written;
}

absl::StatusOr<Exit> Export(const TableFlags& flags, const Output& output) {
  const bool of_standings = !flags.anchor.empty() || flags.min_blocks > 0 || flags.season > 0;
  if (flags.what != "standings" && of_standings) {
    return BadValue("--what", flags.what,
                    "standings, which --anchor, --min-blocks and --season are about");
  }
  const absl::StatusOr<ShownStandings> shown = ReadShown(flags);
  if (!shown.ok()) return shown.status();
  const absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags.client);
  if (!client.ok()) return client.status();
  const Form form = flags.format == "csv" ? Form::kCsv : Form::kJson;
  absl::StatusOr<ExportFile> file = ExportFile::Open(flags.output, &output.out());
  if (!file.ok()) return At("--output", file.status());
  absl::Status written = flags.what == "standings"
                             ? WriteStandings(*client, flags, *shown, form, &*file)
                             : WriteResults(*client, flags, form, &*file);
  if (written.ok()) written = file->Commit();
  return Ended(written, output);
}

// --- rounds, bracket ---

struct RoundFlags {
  ClientFlags client;
  std::string name;
  uint32_t round = 0;  // 0: all
  bool json = false;
};

Form FormOf(const RoundFlags& flags) { return flags.json ? Form::kJson : Form::kTable; }

v1::ListRoundsRequest RoundsRequest(const RoundFlags& flags) {
  auto request = About<v1::ListRoundsRequest>(flags);
  request.set_round(flags.round);
  return request;
}

absl::StatusOr<Exit> Rounds(const RoundFlags& flags, const Output& output) {
  const absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags.client);
  if (!client.ok()) return client.status();
  const auto pairings = [](const v1::ListRoundsResponse& page) -> const auto& {
    return page.pairings();
  };
  return PrintPages(*client, &CompetitionStub::ListRounds, RoundsRequest(flags), RoundsTable(),
                    pairings, FormOf(flags), output);
}

absl::StatusOr<Exit> Bracket(const RoundFlags& flags, const Output& output) {
  const absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags.client);
  if (!client.ok()) return client.status();
  const auto shown =
      client->Call(&CompetitionStub::GetCompetition, About<v1::GetCompetitionRequest>(flags));
  if (!shown.ok()) return Refused(shown.status(), output);
  const v1::Competition& competition = shown->competition();
  if (competition.spec().format() != v1::COMPETITION_FORMAT_KNOCKOUT) {
    const v1::CompetitionFormat format = competition.spec().format();
    const bool has_rounds =
        format != v1::COMPETITION_FORMAT_LADDER && format != v1::COMPETITION_FORMAT_TEST;
    return Refused(absl::FailedPreconditionError(absl::StrCat(
                       "competition ", Quoted(flags.name), ": is a ", FormatText(format),
                       ", and only a knockout has a bracket; see 'refctl competition ",
                       has_rounds ? "rounds" : "standings", "'")),
                   output);
  }
  v1::ListRoundsResponse all;
  const absl::Status listed = client->ForEachPage(
      &CompetitionStub::ListRounds, RoundsRequest(flags), [&](const v1::ListRoundsResponse& page) {
        all.mutable_pairings()->MergeFrom(page.pairings());
        return true;
      });
  if (!listed.ok()) return Refused(listed, output);
  if (!flags.json) {
    output.out() << Shown(flags.name) << ": " << ProgressText(competition) << "\n\n"
                 << BracketText(all.pairings()) << "\n";
  }
  output.out() << Printed(RoundsTable(), all.pairings(), FormOf(flags));
  return Exit::kOk;
}

// --- The command line ---

constexpr char kRoundsFooter[] =
    "Points and scores are in the order of the bots: a win is 1 point, a draw 1/2; a bye and a "
    "walkover count as a won block, which is 2. In a swiss they add up to the points of the "
    "standings. Rounds of a round robin and a gauntlet: each bot, but for the soloist, plays once "
    "at most in one. What is to follow is shown as far as it is known. Ladders and tests have no "
    "rounds.";

constexpr char kBracketFooter[] =
    "The tree has the points of each bot in its tie, '?' for a bot that is not known yet, and who "
    "came on by a walkover, since the other had left. Below it each tie has its blocks, and by "
    "what it was decided: blocks won, extra blocks, points, scores in the games, a lot, a "
    "walkover.";

constexpr char kExportFooter[] =
    "CSV is that of RFC 4180, in UTF-8 with a header line. Names are never changed: one that "
    "begins with = + - or @ is quoted, which does not keep a spreadsheet from taking it for a "
    "formula; import such columns as text. JSON is an object a line. Results are those of blocks "
    "that were played to their end, in order of their numbers: one line a match, by seat. Blocks "
    "are all that have begun, one line each: what each bot made in its matches together, in points "
    "(a win 1, a draw 1/2). elo_low and elo_high are the bounds of the 95 % interval; superiority "
    "is the likelihood that the bot is stronger than the next one.";

constexpr char kCrosstableFooter[] =
    "Up to 40 bots are shown as a matrix in the order of the standings, where it fits the terminal "
    "(80 columns elsewhere); more of them as a list, a line a pair, for the bot that is named "
    "first. All blocks that count are in it, also those that the standings annul; byes and "
    "walkovers are not. Pairs are counted in competitions of two seats.";

constexpr char kStandingsFooter[] =
    "rank            by points, in a ladder and a test by strength; equals share one; - has none,\n"
    "                as a bot for which nothing counts yet\n"
    "blocks          that count; a block is the same dice for every rotation of the seats\n"
    "won-drawn-lost  matches in them; of more than two seats, the first wins\n"
    "points          a win 1, a draw 1/2; of more seats 1 for each bot left behind, 1/2 for each\n"
    "                that shares the rank. With byes and walkovers, which are a won block each,\n"
    "                and without what is annulled\n"
    "share           of the points that could be made, where numbers of blocks differ\n"
    "buchholz ...    the tie-breaks of the competition, in the order in which they are looked at\n"
    "elo             fitted rating from the mean of all bots, ± half of its 95 % interval. Where\n"
    "                that is wider than 600, the one bound that says most: at least +120; - has "
    "none\n"
    "superiority     the likelihood that the bot is stronger than the next one in the table\n"
    "void (late)     --wide: matches without a result; of these, for the bot's own lateness\n"
    "given back      --wide: time, when the referee had stood still\n"
    "time losses     --wide: matches lost on time\n"
    "lost links      --wide: turns in which the bot's link was lost\n"
    "remark          byes, walkovers, forfeited matches, why a bot is out; below the table when "
    "the\n"
    "                terminal is too narrow for it";

void AddSeasonFlag(const Subcommand<TableFlags>& added) {
  AddOption(added.command, "--season", "N", &added.flags->season,
            "That of this season of a ladder, from 1 (default: the one that goes on)")
      ->check(CLI::PositiveNumber);
}

// Adds the flags that select what the standings show.
void AddShownFlags(const Subcommand<TableFlags>& added) {
  AddOption(
      added.command, "--anchor", "BOT=ELO", &added.flags->anchor,
      "Moves all ratings so that this bot has this one; differences stay, and so does each ±: "
      "half of the 95 % interval of a bot's distance from the mean of all bots, not from the "
      "anchor, whose own is not 0 either");
  AddOption(added.command, "--min-blocks", "N", &added.flags->min_blocks,
            "Leaves out bots with fewer blocks that count; ratings and ranks stay those among all");
  AddSeasonFlag(added);
}

void AddRounds(CLI::App* group, Chosen* chosen) {
  const Subcommand<RoundFlags> rounds =
      AddAbout(group, chosen, "rounds",
               "Prints who meets whom, round by round, with results, byes and walkovers", Rounds);
  rounds.command->footer(kRoundsFooter);
  AddOption(rounds.command, "--round", "N", &rounds.flags->round, "Only this one")
      ->check(Whole(1, UINT32_MAX));
  AddAbout(group, chosen, "bracket", "Prints the tree of a knockout, and how its ties were decided",
           Bracket)
      .command->footer(kBracketFooter);
}

void AddCrosstable(CLI::App* group, Chosen* chosen) {
  const Subcommand<TableFlags> added =
      AddAbout(group, chosen, "crosstable",
               "Prints what bots made against each other: blocks, matches, points", Crosstable);
  added.command->footer(kCrosstableFooter);
  AddOption(added.command, "--bot", "NAME", &added.flags->bot, "Only its opponents");
  AddSeasonFlag(added);
  AddOption(added.command, "--format", "FORMAT", &added.flags->format,
            "csv: a line a pair, for programs")
      ->check(OneOf({"csv"}))
      ->excludes("--json");
}

void AddExport(CLI::App* group, Chosen* chosen) {
  const Subcommand<TableFlags> added = AddAbout(
      group, chosen, "export", "Writes standings, results or blocks as CSV or JSON", Export, false);
  added.command->footer(kExportFooter);
  AddOption(added.command, "--what", "WHAT", &added.flags->what, "standings or results")
      ->required()
      ->check(OneOf({"standings", "results", "blocks"}));
  AddOption(added.command, "--format", "FORMAT", &added.flags->format, "csv or json")
      ->required()
      ->check(OneOf({"csv", "json"}));
  AddOutputFlags(added.command, &added.flags->output);
  AddShownFlags(added);
}

}  // namespace

void AddTableCommands(CLI::App* group, Chosen* chosen) {
  const Subcommand<TableFlags> table =
      AddAbout(group, chosen, "standings",
               "Prints the table: points, ratings with their 95 % intervals", ShowStandings);
  table.command->add_flag("--wide", table.flags->wide,
                          "Void matches, time given back, time losses and lost links, too");
  AddShownFlags(table);
  table.command->footer(kStandingsFooter);
  AddCrosstable(group, chosen);
  AddExport(group, chosen);
  AddRounds(group, chosen);
}

}  // namespace referee::ctl
