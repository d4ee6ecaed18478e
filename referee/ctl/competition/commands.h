// What the subcommands of refctl competition share, and those that have files of their own.
#ifndef REFEREE_CTL_COMPETITION_COMMANDS_H_
#define REFEREE_CTL_COMPETITION_COMMANDS_H_

#include <string>

#include "CLI/App.hpp"
#include "absl/status/statusor.h"
#include "referee/ctl/client_flags.h"
#include "referee/ctl/command.h"

namespace referee::ctl {

// Adds a subcommand with the flags of a client, and the footer that says whose token it takes.
template <typename Flags>
Subcommand<Flags> AddForOrganisers(CLI::App* group, Chosen* chosen, const std::string& name,
                                   const std::string& description,
                                   absl::StatusOr<Exit> (*work)(const Flags&, const Output&)) {
  const Subcommand<Flags> added = AddSubcommand(group, chosen, name, description, work);
  added.command->footer(kOrganiserFooter);
  AddClientFlags(added.command, &added.flags->client);
  return added;
}

// The same of one about a competition that there is.
template <typename Flags>
Subcommand<Flags> AddAbout(CLI::App* group, Chosen* chosen, const std::string& name,
                           const std::string& description,
                           absl::StatusOr<Exit> (*work)(const Flags&, const Output&),
                           bool json = true) {
  const Subcommand<Flags> added = AddForOrganisers(group, chosen, name, description, work);
  added.command->add_option("name", added.flags->name, "The competition")
      ->required()
      ->type_name("NAME");
  if (json) {
    added.command->add_flag("--json", added.flags->json, "Prints JSON, an object a line");
  }
  return added;
}

// set, rename, remove and drop-block
void AddChangeCommands(CLI::App* group, Chosen* chosen);
// standings, crosstable and export
void AddTableCommands(CLI::App* group, Chosen* chosen);
// rounds and bracket
void AddRoundsCommands(CLI::App* group, Chosen* chosen);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_COMPETITION_COMMANDS_H_
