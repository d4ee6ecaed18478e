// refctl competition: makes, runs and shows competitions of a running referee.

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/base/command_line.h"
#include "referee/base/errors.h"
#include "referee/ctl/account/ask.h"
#include "referee/ctl/client_flags.h"
#include "referee/ctl/command.h"
#include "referee/ctl/competition/blocks_text.h"
#include "referee/ctl/competition/client.h"
#include "referee/ctl/competition/commands.h"
#include "referee/ctl/competition/flags.h"
#include "referee/ctl/competition/text.h"
#include "referee/ctl/competition/watch.h"
#include "referee/ctl/terminal/confirm.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/table.h"
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
  // create
  CompetitionFlags competition;
  std::string request_id;
  bool start = false;
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

// --- The command line ---

using Function = absl::StatusOr<Exit> (*)(const Flags&, const Output&);

using Added = Subcommand<Flags>;

void AddCreate(CLI::App* group, Chosen* chosen) {
  const Added added =
      AddForOrganisers(group, chosen, "create",
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
  const Added list =
      AddForOrganisers(group, chosen, "list", "Lists competitions, newest first", List);
  list.command->add_flag("--json", list.flags->json, "Prints JSON, an object a line");
  list.command
      ->add_option("--bot", list.flags->bot, "Only those in which this bot is entered, or was")
      ->check(CLI::Validator(
          [](const std::string& bot) { return bot.empty() ? "the name is empty" : ""; }, "",
          "name"))
      ->type_name("NAME");
  AddAbout(group, chosen, "show", "Shows what a competition is and how far", Show);
  AddTableCommands(group, chosen);
  AddRoundsCommands(group, chosen);
  AddWithBot(group, chosen, "blocks", "Lists blocks: the matches that share their dice", Blocks,
             "Only its blocks");
  AddWithBot(group, chosen, "matches", "Lists matches with their results", Matches,
             "Only its matches");
  AddAbout(group, chosen, "watch",
           "Follows a competition until it is finished: a table on a terminal, lines elsewhere",
           Watch);
}

}  // namespace referee::ctl
