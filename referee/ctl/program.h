// refctl as a function from a command line to an exit status, so that tests can run it.
#ifndef REFEREE_CTL_PROGRAM_H_
#define REFEREE_CTL_PROGRAM_H_

#include <string>
#include <vector>

#include "referee/ctl/terminal/output.h"

namespace referee::ctl {

// Runs the command that `arguments` (without the program's name) ask for. Never throws; errors go
// to output.err() and into the exit status.
Exit RunProgram(const std::vector<std::string>& arguments, const Output& output);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_PROGRAM_H_
