// refctl game: games that are paused on a running referee.

#include <string>

#include "referee/ctl/client_flags.h"
#include "referee/ctl/command.h"
#include "referee/ctl/match/client.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/table.h"

namespace referee::ctl {
namespace {

using Stub = MatchClient::Stub;

struct GameFlags {
  ClientFlags client;
  std::string game;
  std::string reason;
  bool json = false;
};

template <typename Request, typename Response>
absl::StatusOr<Response> Ask(const GameFlags& flags, const Request& request,
                             grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                          Response*)) {
  absl::StatusOr<MatchClient> client = MatchClient::Make(flags.client);
  if (!client.ok()) return client.status();
  return client->Call(method, request);
}

absl::StatusOr<Exit> Pause(const GameFlags& flags, const Output& output) {
  v1::PauseGameRequest request;
  request.set_game(flags.game);
  request.set_reason(flags.reason);
  const auto paused = Ask(flags, request, &Stub::PauseGame);
  if (!paused.ok()) return Refused(paused.status(), output);
  output.out() << Shown(flags.game) << " is paused: no match of it begins\n";
  return Exit::kOk;
}

absl::StatusOr<Exit> Resume(const GameFlags& flags, const Output& output) {
  v1::ResumeGameRequest request;
  request.set_game(flags.game);
  const auto resumed = Ask(flags, request, &Stub::ResumeGame);
  if (!resumed.ok()) return Refused(resumed.status(), output);
  output.out() << Shown(flags.game) << " goes on\n";
  return Exit::kOk;
}

absl::StatusOr<Exit> List(const GameFlags& flags, const Output& output) {
  const auto paused = Ask(flags, v1::ListPausedGamesRequest(), &Stub::ListPausedGames);
  if (!paused.ok()) return Refused(paused.status(), output);
  if (paused->games().empty()) output.Error("no game is paused");
  for (const v1::PausedGame& game : paused->games()) {
    output.out() << (flags.json ? JsonLine(game)
                                : Shown(game.game()) + "  paused: " + Shown(game.reason()) + "\n");
  }
  return Exit::kOk;
}

Subcommand<GameFlags> Add(CLI::App* group, Chosen* chosen, const std::string& name,
                          const std::string& description,
                          absl::StatusOr<Exit> (*work)(const GameFlags&, const Output&)) {
  const Subcommand<GameFlags> added = AddSubcommand(group, chosen, name, description, work);
  AddClientFlags(added.command, &added.flags->client);
  if (work == List) {
    added.command->add_flag("--json", added.flags->json, "Prints JSON, an object a line");
    return added;
  }
  added.command->footer(kOrganiserFooter);
  added.command
      ->add_option("game", added.flags->game,
                   "The game, such as hypnosia; see 'refctl rules games'")
      ->required()
      ->type_name("GAME");
  return added;
}

}  // namespace

void AddGameCommands(CLI::App* app, Chosen* chosen) {
  CLI::App* const group =
      app->add_subcommand("game", "Pauses games of a running referee, and lets them go on");
  group->require_subcommand(1);
  const Subcommand<GameFlags> pause = Add(
      group, chosen, "pause",
      "Begins no match of a game any more on this referee, also after a restart; those that run "
      "go on. Referees that share a store are paused one by one",
      Pause);
  pause.command->add_option("--reason", pause.flags->reason, "Why, for everybody")
      ->required()
      ->type_name("TEXT");
  Add(group, chosen, "resume", "Begins matches of a game again", Resume);
  Add(group, chosen, "list", "Lists games that are paused, and why", List);
}

}  // namespace referee::ctl
