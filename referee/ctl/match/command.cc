// refctl match: makes, lists, shows, follows and cancels matches of a running referee.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "referee/base/command_line.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/ctl/client_flags.h"
#include "referee/ctl/command.h"
#include "referee/ctl/dice_flag.h"
#include "referee/ctl/match/client.h"
#include "referee/ctl/match/game_options.h"
#include "referee/ctl/match/judging_flags.h"
#include "referee/ctl/match/text.h"
#include "referee/ctl/match/watch.h"
#include "referee/ctl/terminal/print.h"
#include "referee/dice/dice.h"
#include "referee/games/catalogue.h"
#include "referee/service/convert/convert.h"

namespace referee::ctl {
namespace {

constexpr char kFooter[] =
    "The referee is found at --address, else at REFEREE_ADDRESS, else at 127.0.0.1:7450. If it "
    "has\n"
    "organisers, creating and cancelling take the token of one.";

using Stub = MatchClient::Stub;

struct Flags {
  ClientFlags client;
  std::string match_id;
  std::string reason;
  std::string state;
  bool json = false;
  bool lines = false;
  // Of a match to be made.
  std::string game;
  std::vector<std::string> bots;
  std::vector<std::string> options;
  JudgingFlags judging;
  std::string seed;
  std::string request_id;
};

// --- match create ---

void PinDice(const match::DiceSource& dice, v1::DiceSource* out) {
  if (dice.pinned_number) {
    out->set_pinned_number(*dice.pinned_number);
  } else {
    out->set_pinned_seed(std::string(dice::Raw(dice.pinned_seed->bytes)));
  }
}

absl::StatusOr<v1::CreateMatchRequest> RequestFor(const Flags& flags) {
  const absl::StatusOr<games::Entry> entry = games::Find(flags.game);
  if (!entry.ok()) return At("--game", entry.status());
  const auto game = MakeGame(*entry->type, static_cast<int>(flags.bots.size()), flags.options);
  if (!game.ok()) return game.status();
  const absl::StatusOr<Judging> judging = ReadJudging(flags.judging);
  if (!judging.ok()) return judging.status();

  v1::CreateMatchRequest request;
  request.set_request_id(flags.request_id);
  entry->wire->OptionsToWire(**game, request.mutable_options());
  for (const std::string& bot : flags.bots) request.add_bots(bot);
  service::ToWire(judging->time_control, request.mutable_time_control());
  service::ToWire(judging->policies, request.mutable_policies());
  if (!flags.seed.empty()) PinDice(*ReadDiceSeed(flags.seed), request.mutable_dice());
  return request;
}

absl::StatusOr<Exit> Create(const Flags& flags, const Output& output) {
  const absl::StatusOr<v1::CreateMatchRequest> request = RequestFor(flags);
  if (!request.ok()) return request.status();
  absl::StatusOr<MatchClient> client = MatchClient::Make(flags.client);
  if (!client.ok()) return client.status();
  const auto response = client->Call(&Stub::CreateMatch, *request);
  if (!response.ok()) return Refused(response.status(), output);
  output.out() << (flags.json ? JsonLine(response->match()) : response->match().match_id() + "\n");
  return Exit::kOk;
}

// --- match list, show, cancel ---

absl::StatusOr<Exit> List(const Flags& flags, const Output& output) {
  v1::ListMatchesRequest request;
  request.set_page_size(limits::kMaxPageSize);
  if (!flags.state.empty()) {
    const absl::StatusOr<v1::MatchState> state = ParseState(flags.state);
    if (!state.ok()) return state.status();
    request.set_state(*state);
  }
  absl::StatusOr<MatchClient> client = MatchClient::Make(flags.client);
  if (!client.ok()) return client.status();
  bool any = false;
  do {
    const auto response = client->Call(&Stub::ListMatches, request);
    if (!response.ok()) return Refused(response.status(), output);
    for (const v1::Match& match : response->matches()) {
      any = true;
      output.out() << (flags.json ? JsonLine(match) : MatchLine(match));
    }
    request.set_page_token(response->next_page_token());
  } while (!request.page_token().empty() && output.out());
  if (!any) output.Error("there are no such matches; 'refctl archive list' finds older ones");
  return Exit::kOk;
}

absl::StatusOr<Exit> Show(const Flags& flags, const Output& output) {
  absl::StatusOr<MatchClient> client = MatchClient::Make(flags.client);
  if (!client.ok()) return client.status();
  v1::GetMatchRequest request;
  request.set_match_id(flags.match_id);
  const auto response = client->Call(&Stub::GetMatch, request);
  if (!response.ok()) return Refused(response.status(), output);
  output.out() << (flags.json ? JsonLine(response->snapshot())
                              : SnapshotText(response->snapshot(), output.colour()));
  return Exit::kOk;
}

absl::StatusOr<Exit> Cancel(const Flags& flags, const Output& output) {
  absl::StatusOr<MatchClient> client = MatchClient::Make(flags.client);
  if (!client.ok()) return client.status();
  v1::CancelMatchRequest request;
  request.set_match_id(flags.match_id);
  request.set_reason(flags.reason);
  const auto response = client->Call(&Stub::CancelMatch, request);
  if (!response.ok()) return Refused(response.status(), output);
  output.out() << (flags.json ? JsonLine(response->match()) : MatchLine(response->match()));
  return Exit::kOk;
}

// --- match watch ---

absl::StatusOr<Exit> Watch(const Flags& flags, const Output& output) {
  const bool screen = output.out_is_terminal() && !flags.json && !flags.lines;
  return screen ? WatchMatchOnTerminal(flags.client, flags.match_id, output)
                : WatchMatchAsLines(flags.client, flags.match_id, flags.json, output);
}

// --- The command line ---

void AddCallFlags(CLI::App* command, Flags* flags) {
  AddClientFlags(command, &flags->client);
  command->add_flag("--json", flags->json, "Prints JSON, an object a line");
}

CLI::App* AddMatchCommand(CLI::App* match, Chosen* chosen, const std::shared_ptr<Flags>& flags,
                          const std::string& name, const std::string& description,
                          absl::StatusOr<Exit> (*work)(const Flags&, const Output&)) {
  CLI::App* const command = match->add_subcommand(name, description);
  command->footer(kFooter);
  OnChosen(command, chosen, [flags, work](const Output& output) { return work(*flags, output); });
  return command;
}

void AddId(CLI::App* command, Flags* flags) {
  command
      ->add_option("id", flags->match_id, "The match, as 'match create' and 'match list' name it")
      ->required()
      ->type_name("ID");
}

void AddCreate(CLI::App* match, Chosen* chosen) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const command = AddMatchCommand(
      match, chosen, flags, "create",
      "Makes a match, which begins when its bots are connected and free; prints its id", Create);
  AddGameFlags(command, &flags->game, &flags->options);
  command->add_option("--bot", flags->bots, "A bot, by its name; once for each seat")
      ->required()
      ->allow_extra_args(false)
      ->type_name("NAME");
  AddJudgingFlags(command, &flags->judging);
  command
      ->add_option("--seed", flags->seed,
                   "Pins the dice to this number, or to a seed of 64 hex digits (default: nobody\n"
                   "can foresee the dice)")
      ->check(DiceSeed())
      ->type_name("N|HEX");
  command
      ->add_option("--request-id", flags->request_id,
                   "Any text: the same command with the same text makes no second match")
      ->type_name("TEXT");
  AddCallFlags(command, flags.get());
}

void AddList(CLI::App* match, Chosen* chosen) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const command =
      AddMatchCommand(match, chosen, flags, "list",
                      "Lists open matches and those that ended lately, newest first", List);
  command
      ->add_option("--state", flags->state,
                   "Only those that are waiting, running, finished, void or cancelled")
      ->type_name("STATE");
  AddCallFlags(command, flags.get());
}

void AddShow(CLI::App* match, Chosen* chosen) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const command = AddMatchCommand(match, chosen, flags, "show",
                                            "Shows a match as it is now, with its board", Show);
  AddId(command, flags.get());
  AddCallFlags(command, flags.get());
}

void AddWatch(CLI::App* match, Chosen* chosen) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const command = AddMatchCommand(
      match, chosen, flags, "watch",
      "Follows a match until it is over\n\n"
      "On a terminal with its board, points and keys, which ? explains: who goes back stays "
      "there,\n"
      "l goes to what happens now. Elsewhere a line a turn, with what is worth to stop at:\n"
      "captures, faults, a new leader. What was before it is watched, it does not show.",
      Watch);
  AddId(command, flags.get());
  command->add_flag("--lines", flags->lines, "A line a turn, also on a terminal");
  AddCallFlags(command, flags.get());
}

void AddCancel(CLI::App* match, Chosen* chosen) {
  const auto flags = std::make_shared<Flags>();
  CLI::App* const command =
      AddMatchCommand(match, chosen, flags, "cancel", "Ends a match without a result", Cancel);
  AddId(command, flags.get());
  command->add_option("--reason", flags->reason, "Why, for the verdict")->type_name("TEXT");
  AddCallFlags(command, flags.get());
}

}  // namespace

void AddMatchCommands(CLI::App* app, Chosen* chosen) {
  CLI::App* const match = app->add_subcommand(
      "match", "Makes, lists, shows, follows and cancels matches of a running referee");
  match->require_subcommand(1);
  AddCreate(match, chosen);
  AddList(match, chosen);
  AddShow(match, chosen);
  AddWatch(match, chosen);
  AddCancel(match, chosen);
}

}  // namespace referee::ctl
