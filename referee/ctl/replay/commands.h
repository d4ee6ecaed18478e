// Declares the commands of 'refctl replay' that have their own files.
#ifndef REFEREE_CTL_REPLAY_COMMANDS_H_
#define REFEREE_CTL_REPLAY_COMMANDS_H_

#include "CLI/App.hpp"
#include "referee/ctl/command.h"

namespace referee::ctl {

void AddReplayTimes(CLI::App* replay, Chosen* chosen);
void AddReplayVerify(CLI::App* replay, Chosen* chosen);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_REPLAY_COMMANDS_H_
