// Subcommands of refctl competition that have files of their own.
#ifndef REFEREE_CTL_COMPETITION_COMMANDS_H_
#define REFEREE_CTL_COMPETITION_COMMANDS_H_

#include "CLI/App.hpp"
#include "referee/ctl/command.h"

namespace referee::ctl {

// set, rename, remove and drop-block
void AddChangeCommands(CLI::App* group, Chosen* chosen);
// rounds and bracket
void AddRoundsCommands(CLI::App* group, Chosen* chosen);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_COMPETITION_COMMANDS_H_
