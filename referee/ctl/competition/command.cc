// refctl competition: makes, runs and shows competitions of a running referee.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/ctl/account/ask.h"
#include "referee/ctl/client_flags.h"
#include "referee/ctl/command.h"
#include "referee/ctl/competition/blocks_text.h"
#include "referee/ctl/competition/client.h"
#include "referee/ctl/competition/commands.h"
#include "referee/ctl/competition/crosstable.h"
#include "referee/ctl/competition/export.h"
#include "referee/ctl/competition/flags.h"
#include "referee/ctl/competition/shown_standings.h"
#include "referee/ctl/competition/text.h"
#include "referee/ctl/competition/watch.h"
#include "referee/ctl/errors.h"
#include "referee/ctl/replay/export_file.h"
#include "referee/ctl/terminal/confirm.h"
#include "referee/ctl/terminal/live_screen.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/table.h"
#include "referee/ctl/validators.h"
#include "referee/host/errors.h"
#include "referee/service/access/account_admin.h"

namespace referee::ctl {
namespace {

using Stub = CompetitionClient::Stub;

struct Flags {
  ClientFlags client;
  std::string name;
  std::string bot;
  bool json = false;
  bool yes = false;  // finish, leave
  // standings
  bool wide = false;
  std::string anchor;
  uint64_t min_blocks = 0;
  uint32_t season = 0;  // 0: the one that goes on
  // create
  CompetitionFlags competition;
  std::string request_id;
  bool start = false;
  // export
  std::string what;
  std::string format;
  OutputFlags output;
};

void Print(const v1::Competition& competition, const Flags& flags, const Output& output) {
  output.out() << (flags.json ? JsonLine(competition) : CompetitionLine(competition));
}

// --- create ---

absl::StatusOr<Exit> Create(const Flags& flags, const Output& output) {
  absl::StatusOr<v1::CompetitionSpec> spec = ReadCompetition(flags.competition);
  if (!spec.ok()) return spec.status();
  absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags.client);
  if (!client.ok()) return client.status();
  const auto made = client->Create(*std::move(spec), flags.request_id, flags.start);
  if (!made.ok()) return Refused(InFlags(made.status()), output);
  Print(*made, flags, output);
  return Exit::kOk;
}

// --- Calls about one competition ---

// A call that names a competition and answers with what it is then.
template <typename Request, typename Response>
absl::StatusOr<Exit> CallAbout(const Flags& flags, const Output& output, const Request& request,
                               grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                            Response*)) {
  const auto response = CallOnce(flags.client, method, request);
  if (!response.ok()) return Refused(response.status(), output);
  Print(response->competition(), flags, output);
  return Exit::kOk;
}

template <typename Request>
Request About(const Flags& flags) {
  Request request;
  request.set_name(flags.name);
  return request;
}

absl::StatusOr<Exit> Start(const Flags& flags, const Output& output) {
  return CallAbout(flags, output, About<v1::StartCompetitionRequest>(flags),
                   &Stub::StartCompetition);
}

absl::StatusOr<Exit> Pause(const Flags& flags, const Output& output) {
  return CallAbout(flags, output, About<v1::PauseCompetitionRequest>(flags),
                   &Stub::PauseCompetition);
}

absl::StatusOr<Exit> Resume(const Flags& flags, const Output& output) {
  return CallAbout(flags, output, About<v1::ResumeCompetitionRequest>(flags),
                   &Stub::ResumeCompetition);
}

absl::StatusOr<Exit> Finish(const Flags& flags, const Output& output) {
  return IfConfirmed(flags.yes,
                     absl::StrCat("Finish the competition ", Quoted(flags.name),
                                  " for good? It cannot go on afterwards."),
                     output, [&] {
                       return CallAbout(flags, output, About<v1::FinishCompetitionRequest>(flags),
                                        &Stub::FinishCompetition);
                     });
}

absl::StatusOr<Exit> Season(const Flags& flags, const Output& output) {
  auto request = About<v1::BeginSeasonRequest>(flags);
  request.set_request_id(flags.request_id);
  return CallAbout(flags, output, request, &Stub::BeginSeason);
}

absl::StatusOr<Exit> Join(const Flags& flags, const Output& output) {
  auto request = About<v1::JoinCompetitionRequest>(flags);
  request.set_bot(flags.bot);
  return CallAbout(flags, output, request, &Stub::JoinCompetition);
}

// Whether a bot that leaves may join again.
absl::StatusOr<bool> IsLadder(const Flags& flags) {
  const auto found =
      CallOnce(flags.client, &Stub::GetCompetition, About<v1::GetCompetitionRequest>(flags));
  if (!found.ok()) return found.status();
  return found->competition().spec().format() == v1::COMPETITION_FORMAT_LADDER;
}

absl::StatusOr<Exit> Leave(const Flags& flags, const Output& output) {
  bool may_come_back = flags.yes;
  if (!may_come_back) {
    const absl::StatusOr<bool> ladder = IsLadder(flags);
    if (!ladder.ok()) return Refused(ladder.status(), output);
    may_come_back = *ladder;
  }
  auto request = About<v1::LeaveCompetitionRequest>(flags);
  request.set_bot(flags.bot);
  return IfConfirmed(
      may_come_back,
      absl::StrCat("Withdraw ", flags.bot.empty() ? "the bot" : Quoted(flags.bot), " from ",
                   Quoted(flags.name), " for good? Only a ladder lets it come back."),
      output, [&] { return CallAbout(flags, output, request, &Stub::LeaveCompetition); });
}

// --- What is shown ---

// Why a bot is entered in no competition. Only an organiser may ask whether there is such a bot.
absl::Status WhyInNone(const Flags& flags) {
  v1::GetBotRequest request;
  request.set_name(flags.bot);
  const absl::StatusOr<v1::GetBotResponse> found =
      Ask(flags.client, store::Place(), Use::kLook, &service::AccountAdmin::GetBot,
          &AdminStub::GetBot, request);
  if (absl::IsNotFound(found.status())) return host::UnknownBot(flags.bot);
  const v1::Role role = found.ok() ? found->bot().role() : v1::ROLE_UNSPECIFIED;
  if (role == v1::ROLE_ORGANISER) return host::NotABot(flags.bot, "organiser");
  if (role == v1::ROLE_OBSERVER) return host::NotABot(flags.bot, "observer");
  return absl::NotFoundError(
      absl::StrCat("bot ", Quoted(flags.bot), " is entered in no competition"));
}

absl::StatusOr<Exit> List(const Flags& flags, const Output& output) {
  absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags.client);
  if (!client.ok()) return client.status();
  v1::ListCompetitionsRequest request;
  request.set_bot(flags.bot);
  bool any = false;
  const auto print = [&](const v1::ListCompetitionsResponse& page) {
    for (const v1::Competition& competition : page.competitions()) {
      any = true;
      Print(competition, flags, output);
    }
    return output.out().good();
  };
  const absl::Status listed = client->ForEachPage(&Stub::ListCompetitions, request, print);
  if (!listed.ok()) return Refused(listed, output);
  if (any) return Exit::kOk;
  if (!flags.bot.empty()) return Refused(WhyInNone(flags), output);
  output.Error("there are no competitions yet; 'refctl competition create' makes one");
  return Exit::kOk;
}

absl::StatusOr<Exit> Show(const Flags& flags, const Output& output) {
  const auto shown =
      CallOnce(flags.client, &Stub::GetCompetition, About<v1::GetCompetitionRequest>(flags));
  if (!shown.ok()) return Refused(shown.status(), output);
  const v1::Competition& competition = shown->competition();
  output.out() << (flags.json ? JsonLine(competition) : CompetitionText(competition));
  return Exit::kOk;
}

v1::GetStandingsRequest StandingsRequest(const Flags& flags) {
  auto request = About<v1::GetStandingsRequest>(flags);
  request.set_season(flags.season);
  return request;
}

absl::StatusOr<ShownStandings> ReadShown(const Flags& flags) {
  ShownStandings shown;
  shown.min_blocks = flags.min_blocks;
  if (flags.anchor.empty()) return shown;
  absl::StatusOr<Anchor> anchor = ParseAnchor(flags.anchor);
  if (!anchor.ok()) return anchor.status();
  shown.anchor = *std::move(anchor);
  return shown;
}

absl::StatusOr<Exit> ShowStandings(const Flags& flags, const Output& output) {
  const absl::StatusOr<ShownStandings> shown = ReadShown(flags);
  if (!shown.ok()) return shown.status();
  absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags.client);
  if (!client.ok()) return client.status();
  auto table = client->Call(&Stub::GetStandings, StandingsRequest(flags));
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

absl::StatusOr<Exit> PrintPairs(CompetitionClient* client, const Flags& flags, const Output& output,
                                Form form, absl::string_view header = "") {
  bool first = true;
  const absl::Status listed = client->ListPairs(
      flags.name, flags.bot, flags.season, [&](const v1::ListPairsResponse& page) {
        output.out() << (first ? header : "") << Printed(PairColumns(), page.pairs(), form, first);
        first = false;
        return output.out().good();
      });
  if (!listed.ok()) return Refused(listed, output);
  return Exit::kOk;
}

// A matrix where that fits, a list of pairs elsewhere; of one bot a list of its opponents.
absl::StatusOr<Exit> PrintCrosstable(CompetitionClient* client, const Flags& flags,
                                     const Output& output) {
  const auto table = client->Call(&Stub::GetStandings, StandingsRequest(flags));
  if (!table.ok()) return Refused(table.status(), output);
  const std::string header =
      absl::StrCat(Shown(flags.name), ": ", ProgressText(table->competition()), "\n");
  if (flags.bot.empty() && table->standings_size() > kMostBotsInMatrix) {
    return PrintPairs(client, flags, output, Form::kTable, header);
  }
  v1::ListPairsResponse all;
  const absl::Status listed = client->ListPairs(flags.name, flags.bot, flags.season,
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

absl::StatusOr<Exit> Crosstable(const Flags& flags, const Output& output) {
  absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags.client);
  if (!client.ok()) return client.status();
  if (flags.json) return PrintPairs(&*client, flags, output, Form::kJson);
  if (flags.format == "csv") return PrintPairs(&*client, flags, output, Form::kCsv);
  return PrintCrosstable(&*client, flags, output);
}

// --- blocks and matches ---

// `table` prints a page of blocks, with or without its heading.
absl::StatusOr<Exit> ListBlocks(
    const Flags& flags, const Output& output,
    std::string (*table)(const google::protobuf::RepeatedPtrField<v1::Block>&, bool heading)) {
  absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags.client);
  if (!client.ok()) return client.status();
  bool first = true;
  const absl::Status listed =
      client->ListBlocks(flags.name, flags.bot, [&](const v1::ListBlocksResponse& page) {
        output.out() << (flags.json ? Printed(BlocksTable(), page.blocks(), Form::kJson)
                                    : table(page.blocks(), std::exchange(first, false)));
        return output.out().good();
      });
  if (!listed.ok()) return Refused(listed, output);
  return Exit::kOk;
}

absl::StatusOr<Exit> Blocks(const Flags& flags, const Output& output) {
  return ListBlocks(flags, output, [](const auto& blocks, bool heading) {
    return Printed(BlocksTable(), blocks, Form::kTable, heading);
  });
}

absl::StatusOr<Exit> Matches(const Flags& flags, const Output& output) {
  return ListBlocks(flags, output, [](const auto& blocks, bool heading) {
    return Printed(MatchesTable(), MatchesOf(blocks), Form::kTable, heading);
  });
}

absl::StatusOr<Exit> Watch(const Flags& flags, const Output& output) {
  const WatchStyle style = flags.json                 ? WatchStyle::kJson
                           : output.out_is_terminal() ? WatchStyle::kTable
                                                      : WatchStyle::kLines;
  return WatchCompetition(flags.client, flags.name, style, output);
}

// --- export ---

absl::Status WriteStandings(CompetitionClient* client, const Flags& flags,
                            const ShownStandings& shown, Form form, ExportFile* file) {
  auto table = client->Call(&Stub::GetStandings, StandingsRequest(flags));
  if (!table.ok()) return table.status();
  const absl::StatusOr<std::string> done = Choose(shown, &*table);
  if (!done.ok()) return done.status();
  return file->Write(Printed(StandingsExport(table->standings()), table->standings(), form));
}

// Results match by match, or those of blocks by bot.
absl::Status WriteResults(CompetitionClient* client, const Flags& flags, Form form,
                          ExportFile* file) {
  const bool by_match = flags.what == "results";
  const auto shown = client->Call(&Stub::GetCompetition, About<v1::GetCompetitionRequest>(flags));
  if (!shown.ok()) return shown.status();
  const auto seats = static_cast<int>(shown->competition().spec().seats());
  const Columns<MatchOfBlock> results = ResultsExport(seats);
  const Columns<v1::Block> blocks = BlocksExport(seats);
  absl::Status written = file->Write(by_match ? Printed(results, std::vector<MatchOfBlock>(), form)
                                              : Printed(blocks, std::vector<v1::Block>(), form));
  const absl::Status listed =
      client->ListBlocks(flags.name, "", [&](const v1::ListBlocksResponse& page) {
        written.Update(file->Write(
            by_match ? Printed(results, MatchesOf(page.blocks(), /*only_played=*/true), form, false)
                     : Printed(blocks, page.blocks(), form, false)));
        return written.ok();
      });
  written.Update(listed);
  return written;
}

absl::StatusOr<Exit> Export(const Flags& flags, const Output& output) {
  const bool of_standings = !flags.anchor.empty() || flags.min_blocks > 0 || flags.season > 0;
  if (flags.what != "standings" && of_standings) {
    return BadValue("--what", flags.what,
                    "standings, which --anchor, --min-blocks and --season are about");
  }
  const absl::StatusOr<ShownStandings> shown = ReadShown(flags);
  if (!shown.ok()) return shown.status();
  absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags.client);
  if (!client.ok()) return client.status();
  const Form form = flags.format == "csv" ? Form::kCsv : Form::kJson;
  absl::StatusOr<ExportFile> file = ExportFile::Open(flags.output, &output.out());
  if (!file.ok()) return At("--output", file.status());
  absl::Status written = flags.what == "standings"
                             ? WriteStandings(&*client, flags, *shown, form, &*file)
                             : WriteResults(&*client, flags, form, &*file);
  if (written.ok()) written = file->Commit();
  if (!written.ok()) return Refused(written, output);
  return Exit::kOk;
}

// --- The command line ---

constexpr char kExportFooter[] =
    "CSV is that of RFC 4180, in UTF-8 with a header line. Names are never changed: one that "
    "begins\n"
    "with = + - or @ is quoted, which does not keep a spreadsheet from taking it for a formula;\n"
    "import such columns as text. JSON is an object a line. Results are those of blocks that were\n"
    "played to their end, in order of their numbers: one line a match, by seat. Blocks are all "
    "that\n"
    "have begun, one line each: what each bot made in its matches together, in points (a win 1, a\n"
    "draw 1/2). elo_low and elo_high are the bounds of the 95 % interval; superiority is the\n"
    "likelihood that the bot is stronger than the next one.";

constexpr char kCrosstableFooter[] =
    "Up to 40 bots are shown as a matrix in the order of the standings, where it fits the "
    "terminal\n"
    "(80 columns elsewhere); more of them as a list, a line a pair, for the bot that is named "
    "first.\n"
    "All blocks that count are in it, also those that the standings annul; byes and walkovers are "
    "not.\nPairs are counted in competitions of two seats.";

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

using Function = absl::StatusOr<Exit> (*)(const Flags&, const Output&);

using Added = Subcommand<Flags>;

// A subcommand with the flags that all have.
Added Add(CLI::App* group, Chosen* chosen, const std::string& name, const std::string& description,
          Function work) {
  const Added added = AddSubcommand(group, chosen, name, description, work);
  added.command->footer(kOrganiserFooter);
  AddClientFlags(added.command, &added.flags->client);
  return added;
}

// One about a competition that there is.
Added AddAbout(CLI::App* group, Chosen* chosen, const std::string& name,
               const std::string& description, Function work, bool json = true) {
  const Added added = Add(group, chosen, name, description, work);
  added.command->add_option("name", added.flags->name, "The competition")
      ->required()
      ->type_name("NAME");
  if (json) {
    added.command->add_flag("--json", added.flags->json, "Prints JSON, an object a line");
  }
  return added;
}

void AddCreate(CLI::App* group, Chosen* chosen) {
  const Added added = Add(group, chosen, "create",
                          "Makes a competition; it waits for 'refctl competition start'", Create);
  AddCompetitionFlags(added.command, &added.flags->competition);
  added.command->add_flag("--start", added.flags->start, "Starts it at once");
  added.command
      ->add_option("--request-id", added.flags->request_id,
                   "Any text: the same command with the same text makes no second competition")
      ->type_name("TEXT");
  added.command->add_flag("--json", added.flags->json, "Prints JSON");
}

Added AddWithBot(CLI::App* group, Chosen* chosen, const std::string& name,
                 const std::string& description, Function work, const std::string& bot) {
  const Added added = AddAbout(group, chosen, name, description, work);
  added.command->add_option("--bot", added.flags->bot, bot)->type_name("NAME");
  return added;
}

void AddSeasonFlag(const Added& added) {
  added.command
      ->add_option("--season", added.flags->season,
                   "That of this season of a ladder, from 1 (default: the one that goes on)")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
}

void AddSeason(CLI::App* group, Chosen* chosen) {
  const Added added = AddAbout(
      group, chosen, "season",
      "Begins a new season of a ladder: tallies from nothing, ratings from what they were, "
      "but less sure; former tables stay",
      Season);
  added.command
      ->add_option("--request-id", added.flags->request_id,
                   "Any text: the same command with the same text begins no second season")
      ->type_name("TEXT");
}

// What of the standings is shown.
void AddShownFlags(const Added& added) {
  added.command
      ->add_option(
          "--anchor", added.flags->anchor,
          "Moves all ratings so that this bot has this one; differences stay, and so does each ±: "
          "half of the 95 % interval of a bot's distance from the mean of all bots, not from the "
          "anchor, whose own is not 0 either")
      ->type_name("BOT=ELO");
  added.command
      ->add_option("--min-blocks", added.flags->min_blocks,
                   "Leaves out bots with fewer blocks that count; ratings and ranks stay those "
                   "among all")
      ->type_name("N");
  AddSeasonFlag(added);
}

void AddCrosstable(CLI::App* group, Chosen* chosen) {
  const Added added =
      AddAbout(group, chosen, "crosstable",
               "Prints what bots made against each other: blocks, matches, points", Crosstable);
  added.command->footer(kCrosstableFooter);
  added.command->add_option("--bot", added.flags->bot, "Only its opponents")->type_name("NAME");
  AddSeasonFlag(added);
  added.command->add_option("--format", added.flags->format, "csv: a line a pair, for programs")
      ->check(OneOf({"csv"}))
      ->excludes("--json")
      ->type_name("FORMAT");
}

void AddExport(CLI::App* group, Chosen* chosen) {
  const Added added = AddAbout(group, chosen, "export",
                               "Writes standings, results or blocks as CSV or JSON", Export, false);
  added.command->footer(kExportFooter);
  added.command->add_option("--what", added.flags->what, "standings or results")
      ->required()
      ->check(OneOf({"standings", "results", "blocks"}))
      ->type_name("WHAT");
  added.command->add_option("--format", added.flags->format, "csv or json")
      ->required()
      ->check(OneOf({"csv", "json"}))
      ->type_name("FORMAT");
  AddOutputFlags(added.command, &added.flags->output);
  AddShownFlags(added);
}

}  // namespace

void AddCompetitionCommands(CLI::App* app, Chosen* chosen) {
  CLI::App* const group = app->add_subcommand(
      "competition", "Makes, runs and shows ladders and tournaments of a running referee");
  group->require_subcommand(1);
  AddCreate(group, chosen);
  AddAbout(group, chosen, "start", "Starts a competition that was made", Start);
  AddAbout(group, chosen, "pause", "Begins no more blocks; those that run go on to their end",
           Pause);
  AddAbout(group, chosen, "resume", "Goes on after a pause", Resume);
  AddSeason(group, chosen);
  const Added finish =
      AddAbout(group, chosen, "finish", "Ends a competition for good; its standings stay", Finish);
  AddYes(finish.command, &finish.flags->yes);
  AddChangeCommands(group, chosen);
  AddWithBot(group, chosen, "join", "Enters a bot into a ladder, or lets it come back", Join,
             "The bot (default: the one whose token is used)");
  const Added leave = AddWithBot(
      group, chosen, "leave",
      "Withdraws a bot, from all but ladders for good; it plays to the end what it has begun, or "
      "forfeits",
      Leave, "The bot (default: the one whose token is used)");
  AddYes(leave.command, &leave.flags->yes);
  const Added list = Add(group, chosen, "list", "Lists competitions, newest first", List);
  list.command->add_flag("--json", list.flags->json, "Prints JSON, an object a line");
  list.command
      ->add_option("--bot", list.flags->bot, "Only those in which this bot is entered, or was")
      ->check(CLI::Validator(
          [](const std::string& bot) { return bot.empty() ? "the name is empty" : ""; }, "",
          "name"))
      ->type_name("NAME");
  AddAbout(group, chosen, "show", "Shows what a competition is and how far", Show);
  const Added table =
      AddAbout(group, chosen, "standings",
               "Prints the table: points, ratings with their 95 % intervals", ShowStandings);
  table.command->add_flag("--wide", table.flags->wide,
                          "Void matches, time given back, time losses and lost links, too");
  AddShownFlags(table);
  table.command->footer(kStandingsFooter);
  AddRoundsCommands(group, chosen);
  AddCrosstable(group, chosen);
  AddWithBot(group, chosen, "blocks", "Lists blocks: the matches that share their dice", Blocks,
             "Only its blocks");
  AddWithBot(group, chosen, "matches", "Lists matches with their results", Matches,
             "Only its matches");
  AddAbout(group, chosen, "watch",
           "Follows a competition until it is finished: a table on a terminal, lines elsewhere",
           Watch);
  AddExport(group, chosen);
}

}  // namespace referee::ctl
