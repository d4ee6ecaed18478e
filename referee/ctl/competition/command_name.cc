// refctl competition rename, refctl competition remove.

#include <string>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/ctl/client_flags.h"
#include "referee/ctl/competition/client.h"
#include "referee/ctl/competition/commands.h"
#include "referee/ctl/competition/text.h"
#include "referee/ctl/terminal/confirm.h"
#include "referee/ctl/terminal/print.h"
#include "referee/ctl/terminal/table.h"

namespace referee::ctl {
namespace {

struct NameFlags {
  ClientFlags client;
  std::string name;
  std::string new_name;
  bool yes = false;
  bool json = false;
};

absl::StatusOr<Exit> Rename(const NameFlags& flags, const Output& output) {
  v1::UpdateCompetitionRequest request;
  request.set_name(flags.name);
  request.mutable_spec()->set_name(flags.new_name);
  request.mutable_update_mask()->add_paths("name");
  const auto renamed = CallOnce(flags.client, &CompetitionClient::Stub::UpdateCompetition, request);
  if (!renamed.ok()) return Refused(renamed.status(), output);
  const v1::Competition& competition = renamed->competition();
  output.out() << (flags.json ? JsonLine(competition) : CompetitionLine(competition));
  return Exit::kOk;
}

absl::StatusOr<Exit> RemoveNow(const NameFlags& flags, const Output& output) {
  v1::RemoveCompetitionRequest request;
  request.set_name(flags.name);
  const auto removed = CallOnce(flags.client, &CompetitionClient::Stub::RemoveCompetition, request);
  if (!removed.ok()) return Refused(removed.status(), output);
  output.out() << "removed " << Shown(flags.name) << "\n";
  return Exit::kOk;
}

absl::StatusOr<Exit> Remove(const NameFlags& flags, const Output& output) {
  return IfConfirmed(flags.yes,
                     absl::StrCat("Remove the competition ", Quoted(flags.name),
                                  " with its standings and blocks (replays stay)?"),
                     output, [&] { return RemoveNow(flags, output); });
}

Subcommand<NameFlags> AddNamed(CLI::App* group, Chosen* chosen, const std::string& name,
                               const std::string& description,
                               absl::StatusOr<Exit> (*work)(const NameFlags&, const Output&)) {
  const Subcommand<NameFlags> added = AddSubcommand(group, chosen, name, description, work);
  AddClientFlags(added.command, &added.flags->client);
  added.command->footer(kOrganiserFooter);
  added.command->add_option("name", added.flags->name, "The competition")
      ->required()
      ->type_name("NAME");
  return added;
}

}  // namespace

void AddNameCommands(CLI::App* group, Chosen* chosen) {
  const Subcommand<NameFlags> rename = AddNamed(
      group, chosen, "rename", "Gives a competition another name, also while it runs", Rename);
  rename.command->add_option("new-name", rename.flags->new_name, "What it is to be called")
      ->required()
      ->type_name("NEW");
  rename.command->add_flag("--json", rename.flags->json, "Prints JSON");
  const Subcommand<NameFlags> remove = AddNamed(
      group, chosen, "remove",
      "Forgets a competition that is new or finished; replays of its matches stay", Remove);
  AddYes(remove.command, &remove.flags->yes);
}

}  // namespace referee::ctl
