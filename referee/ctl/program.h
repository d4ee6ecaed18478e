// refctl as a function, so that a test can run it: a command line in, an exit status out.
#ifndef REFEREE_CTL_PROGRAM_H_
#define REFEREE_CTL_PROGRAM_H_

#include <string>
#include <vector>

#include "referee/ctl/terminal/output.h"

namespace referee::ctl {

// Runs the command that `arguments` (without the program's name) ask for. Never throws; whatever
// goes wrong is told on output.err() and in the exit status.
Exit RunProgram(const std::vector<std::string>& arguments, const Output& output);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_PROGRAM_H_
