// refctl competition set.

#include <cstdint>
#include <string>
#include <utility>

#include "absl/time/time.h"
#include "absl/types/optional.h"
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
  std::string watch_delay;  // empty: it stays
  uint32_t homes = 0;       // 0: it stays
  absl::optional<int> priority;
  std::string keep_replays;  // empty: it stays
  bool json = false;
};

absl::StatusOr<v1::Competition> SetWatchDelay(const SetFlags& flags, absl::Duration delay,
                                              CompetitionClient* client) {
  v1::SetCompetitionWatchDelayRequest request;
  request.set_name(flags.name);
  service::ToWire(delay, request.mutable_watch_delay());
  auto set = client->Call(&CompetitionClient::Stub::SetCompetitionWatchDelay, request);
  if (!set.ok()) return set.status();
  return std::move(*set->mutable_competition());
}

absl::StatusOr<v1::Competition> SetHomes(const SetFlags& flags, CompetitionClient* client) {
  v1::SetCompetitionHomesRequest request;
  request.set_name(flags.name);
  request.set_homes(flags.homes);
  auto set = client->Call(&CompetitionClient::Stub::SetCompetitionHomes, request);
  if (!set.ok()) return set.status();
  return std::move(*set->mutable_competition());
}

absl::StatusOr<v1::Competition> SetPriority(const SetFlags& flags, CompetitionClient* client) {
  v1::SetCompetitionPriorityRequest request;
  request.set_name(flags.name);
  request.set_priority(*flags.priority);
  auto set = client->Call(&CompetitionClient::Stub::SetCompetitionPriority, request);
  if (!set.ok()) return set.status();
  return std::move(*set->mutable_competition());
}

absl::StatusOr<v1::Competition> SetKeepReplays(const SetFlags& flags, CompetitionClient* client) {
  v1::SetCompetitionKeepReplaysRequest request;
  request.set_name(flags.name);
  request.set_keep_replays(KeepsReplays(flags.keep_replays));
  auto set = client->Call(&CompetitionClient::Stub::SetCompetitionKeepReplays, request);
  if (!set.ok()) return set.status();
  return std::move(*set->mutable_competition());
}

absl::StatusOr<Exit> Set(const SetFlags& flags, const Output& output) {
  const bool delays = !flags.watch_delay.empty();
  const bool keeps = !flags.keep_replays.empty();
  if (!delays && flags.homes == 0 && !keeps && !flags.priority.has_value()) {
    return absl::InvalidArgumentError(
        "nothing to set: give --priority, --watch-delay, --homes or --keep-replays");
  }
  absl::Duration delay;
  if (delays) {
    const absl::StatusOr<absl::Duration> parsed = ParseWatchDelay(flags.watch_delay);
    if (!parsed.ok()) return parsed.status();
    delay = *parsed;
  }
  absl::StatusOr<CompetitionClient> client = CompetitionClient::Make(flags.client);
  if (!client.ok()) return client.status();
  absl::StatusOr<v1::Competition> competition = v1::Competition();
  // First what the referee may refuse, so that nothing has changed then.
  if (flags.priority) competition = SetPriority(flags, &*client);
  if (delays && competition.ok()) competition = SetWatchDelay(flags, delay, &*client);
  if (flags.homes > 0 && competition.ok()) competition = SetHomes(flags, &*client);
  if (keeps && competition.ok()) competition = SetKeepReplays(flags, &*client);
  if (!competition.ok()) return Refused(InFlags(competition.status()), output);
  output.out() << (flags.json ? ProtoJson(*competition) + "\n" : CompetitionText(*competition));
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
  set.command
      ->add_option_function<int>(
          "--priority", [flags = set.flags](int priority) { flags->priority = priority; },
          "Competitions of higher priority begin blocks first when places become free:\n"
          "-1000 to 1000")
      ->type_name("N");
  AddWatchDelay(set.command, &set.flags->watch_delay);
  AddHomes(set.command, &set.flags->homes);
  AddKeepReplays(set.command, &set.flags->keep_replays);
  set.command->add_flag("--json", set.flags->json, "Prints JSON");
}

}  // namespace referee::ctl
