// refctl match: creates, lists, shows, follows and cancels matches of a running referee.

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "proto/referee/v1/match_service.grpc.pb.h"
#include "referee/base/command_line.h"
#include "referee/base/errors.h"
#include "referee/ctl/client.h"
#include "referee/ctl/command.h"
#include "referee/ctl/dice_flag.h"
#include "referee/ctl/match/flags.h"
#include "referee/ctl/match/text.h"
#include "referee/ctl/match/watch.h"
#include "referee/ctl/terminal/print.h"
#include "referee/dice/dice.h"
#include "referee/games/catalogue.h"
#include "referee/service/convert/convert.h"

namespace referee::ctl {
namespace {

constexpr char kFooter[] =
    "The referee is found at --address, else at REFEREE_ADDRESS, else at 127.0.0.1:7450. If it has "
    "organisers, creating and cancelling take the token of one.";

using Stub = v1::MatchService::Stub;

struct Flags {
  ClientFlags client;
  std::string match_id;
  std::string reason;
  std::string state;
  bool json = false;
  bool lines = false;
  // For match create.
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
  return Answer(CallOnce(flags.client, &Stub::CreateMatch, *request), output,
                [&](const v1::CreateMatchResponse& made) {
                  return flags.json ? JsonLine(made.match()) : made.match().match_id() + "\n";
                });
}

// --- match list, show, cancel ---

absl::StatusOr<Exit> List(const Flags& flags, const Output& output) {
  v1::ListMatchesRequest request;
  if (!flags.state.empty()) {
    const absl::StatusOr<v1::MatchState> state = ParseState(flags.state);
    if (!state.ok()) return state.status();
    request.set_state(*state);
  }
  const absl::StatusOr<Client<Stub>> client = Client<Stub>::Make(flags.client);
  if (!client.ok()) return client.status();
  bool any = false;
  const auto print = [&](const v1::ListMatchesResponse& page) {
    for (const v1::Match& match : page.matches()) {
      any = true;
      output.out() << (flags.json ? JsonLine(match) : MatchLine(match));
    }
    return output.out().good();
  };
  const absl::Status listed = client->ForEachPage(&Stub::ListMatches, request, print);
  if (listed.ok() && !any) {
    output.Error("there are no such matches; 'refctl archive list' finds older ones");
  }
  return Ended(listed, output);
}

absl::StatusOr<Exit> Show(const Flags& flags, const Output& output) {
  v1::GetMatchRequest request;
  request.set_match_id(flags.match_id);
  return Answer(CallOnce(flags.client, &Stub::GetMatch, request), output,
                [&](const v1::GetMatchResponse& shown) {
                  return flags.json ? JsonLine(shown.snapshot())
                                    : SnapshotText(shown.snapshot(), output.colour());
                });
}

absl::StatusOr<Exit> Cancel(const Flags& flags, const Output& output) {
  v1::CancelMatchRequest request;
  request.set_match_id(flags.match_id);
  request.set_reason(flags.reason);
  return Answer(CallOnce(flags.client, &Stub::CancelMatch, request), output,
                [&](const v1::CancelMatchResponse& cancelled) {
                  return flags.json ? JsonLine(cancelled.match()) : MatchLine(cancelled.match());
                });
}

// --- match watch ---

absl::StatusOr<Exit> Watch(const Flags& flags, const Output& output) {
  const bool screen = output.out_is_terminal() && !flags.json && !flags.lines;
  return screen ? WatchMatchOnTerminal(flags.client, flags.match_id, output)
                : WatchMatchAsLines(flags.client, flags.match_id, flags.json, output);
}

// --- The command line ---

void AddCallFlags(const Subcommand<Flags>& added) {
  added.command->footer(kFooter);
  AddClientFlags(added.command, &added.flags->client);
  AddJsonFlag(added.command, &added.flags->json);
}

void AddId(const Subcommand<Flags>& added) {
  AddOption(added.command, "id", "ID", &added.flags->match_id,
            "The match, as 'match create' and 'match list' name it")
      ->required();
}

void AddCreate(CLI::App* match, Chosen* chosen) {
  const Subcommand<Flags> added = AddSubcommand(
      match, chosen, "create",
      "Makes a match, which begins when its bots are connected and free; prints its id", Create);
  const auto& [command, flags] = added;
  AddGameFlags(command, &flags->game, &flags->options);
  AddOption(command, "--bot", "NAME", &flags->bots, "A bot, by its name; once for each seat")
      ->required()
      ->allow_extra_args(false);
  AddJudgingFlags(command, &flags->judging);
  AddOption(command, "--seed", "N|HEX", &flags->seed,
            "Pins the dice to this number, or to a seed of 64 hex digits (default: nobody\n"
            "can foresee the dice)")
      ->check(DiceSeed());
  AddOption(command, "--request-id", "TEXT", &flags->request_id,
            "Any text: the same command with the same text makes no second match");
  AddCallFlags(added);
}

}  // namespace

void AddMatchCommands(CLI::App* app, Chosen* chosen) {
  CLI::App* const match = app->add_subcommand(
      "match", "Makes, lists, shows, follows and cancels matches of a running referee");
  match->require_subcommand(1);
  AddCreate(match, chosen);
  const auto list = AddSubcommand(
      match, chosen, "list", "Lists open matches and those that ended lately, newest first", List);
  AddOption(list.command, "--state", "STATE", &list.flags->state,
            "Only those that are waiting, running, finished, void or cancelled");
  AddCallFlags(list);
  const auto show =
      AddSubcommand(match, chosen, "show", "Shows a match as it is now, with its board", Show);
  AddId(show);
  AddCallFlags(show);
  const auto watch = AddSubcommand(
      match, chosen, "watch",
      "Follows a match until it is over\n\n"
      "On a terminal with its board, points and keys, which ? explains: who goes back stays there, "
      "l goes to what happens now. Elsewhere a line a turn, with what is worth to stop at: "
      "captures, faults, a new leader. What was before it is watched, it does not show.",
      Watch);
  AddId(watch);
  watch.command->add_flag("--lines", watch.flags->lines, "A line a turn, also on a terminal");
  AddCallFlags(watch);
  const auto cancel =
      AddSubcommand(match, chosen, "cancel", "Ends a match without a result", Cancel);
  AddId(cancel);
  AddOption(cancel.command, "--reason", "TEXT", &cancel.flags->reason, "Why, for the verdict");
  AddCallFlags(cancel);
}

}  // namespace referee::ctl
