// refctl competition set.

#include <string>

#include "absl/time/time.h"
#include "referee/ctl/client_flags.h"
#include "referee/ctl/competition/client.h"
#include "referee/ctl/competition/commands.h"
#include "referee/ctl/competition/flags.h"
#include "referee/ctl/competition/text.h"
#include "referee/ctl/match/text.h"
#include "referee/service/convert/convert.h"

namespace referee::ctl {
namespace {

struct SetFlags {
  ClientFlags client;
  std::string name;
  std::string watch_delay;
  bool json = false;
};

absl::StatusOr<Exit> Set(const SetFlags& flags, const Output& output) {
  const absl::StatusOr<absl::Duration> delay = ParseWatchDelay(flags.watch_delay);
  if (!delay.ok()) return delay.status();
  absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags.client);
  if (!client.ok()) return client.status();
  v1::SetCompetitionWatchDelayRequest request;
  request.set_name(flags.name);
  service::ToWire(*delay, request.mutable_watch_delay());
  const auto set = client->Call(&CompetitionClient::Stub::SetCompetitionWatchDelay, request);
  if (!set.ok()) return Refused(InFlags(set.status()), output);
  const v1::Competition& competition = set->competition();
  output.out() << (flags.json ? ProtoJson(competition) + "\n" : CompetitionText(competition));
  return Exit::kOk;
}

}  // namespace

void AddSetCommand(CLI::App* group, Chosen* chosen) {
  const Subcommand<SetFlags> set = AddSubcommand(
      group, chosen, "set", "Changes what a competition may change, also while it runs", Set);
  AddClientFlags(set.command, &set.flags->client);
  set.command->footer(kOrganiserFooter);
  set.command->add_option("name", set.flags->name, "The competition")
      ->required()
      ->type_name("NAME");
  AddWatchDelay(set.command, &set.flags->watch_delay)->required();
  set.command->add_flag("--json", set.flags->json, "Prints JSON");
}

}  // namespace referee::ctl
