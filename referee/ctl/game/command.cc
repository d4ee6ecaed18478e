// refctl game: pauses and resumes games on a running referee.

#include <string>

#include "proto/referee/v1/match_service.grpc.pb.h"
#include "referee/ctl/client.h"
#include "referee/ctl/command.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/table.h"

namespace referee::ctl {
namespace {

using Stub = v1::MatchService::Stub;

struct GameFlags {
  ClientFlags client;
  std::string game;
  std::string reason;
  bool json = false;
};

absl::StatusOr<Exit> Pause(const GameFlags& flags, const Output& output) {
  v1::PauseGameRequest request;
  request.set_game(flags.game);
  request.set_reason(flags.reason);
  return Answer(CallOnce(flags.client, &Stub::PauseGame, request), output,
                [&](const auto& /*paused*/) {
                  return Shown(flags.game) + " is paused: no match of it begins\n";
                });
}

absl::StatusOr<Exit> Resume(const GameFlags& flags, const Output& output) {
  v1::ResumeGameRequest request;
  request.set_game(flags.game);
  return Answer(CallOnce(flags.client, &Stub::ResumeGame, request), output,
                [&](const auto& /*resumed*/) { return Shown(flags.game) + " goes on\n"; });
}

absl::StatusOr<Exit> List(const GameFlags& flags, const Output& output) {
  const auto paused = CallOnce(flags.client, &Stub::ListPausedGames, v1::ListPausedGamesRequest());
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
    AddJsonFlag(added.command, &added.flags->json);
    return added;
  }
  added.command->footer(kOrganiserFooter);
  AddOption(added.command, "game", "GAME", &added.flags->game,
            "The game, such as hypnosia; see 'refctl rules games'")
      ->required();
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
  AddOption(pause.command, "--reason", "TEXT", &pause.flags->reason, "Why, for everybody")
      ->required();
  Add(group, chosen, "resume", "Begins matches of a game again", Resume);
  Add(group, chosen, "list", "Lists games that are paused, and why", List);
}

}  // namespace referee::ctl
