// What the subcommands of refctl bot share, and those that have files of their own.
#ifndef REFEREE_CTL_ACCOUNT_COMMANDS_H_
#define REFEREE_CTL_ACCOUNT_COMMANDS_H_

#include "CLI/App.hpp"
#include "referee/ctl/command.h"

namespace referee::ctl {

inline constexpr char kAccountFooter[] =
    "The referee is found at --address, else at REFEREE_ADDRESS, else at 127.0.0.1:7450, and "
    "takes\n"
    "the token of an organiser. With --data-dir, or --store, its store is used directly: beside a\n"
    "running referee, or before it runs first; so the first organiser is made.";

// audit, and audit export
void AddAuditCommands(CLI::App* group, Chosen* chosen);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_ACCOUNT_COMMANDS_H_
