// refctl as a function from a command line to an exit status, for tests.
#ifndef REFEREE_CTL_PROGRAM_H_
#define REFEREE_CTL_PROGRAM_H_

#include <string>
#include <vector>

#include "referee/ctl/terminal/output.h"

namespace referee::ctl {

// Runs the command in `arguments`, which exclude the program's name. Never throws: reports errors
// on output.err() and in the exit status.
Exit RunProgram(const std::vector<std::string>& arguments, const Output& output);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_PROGRAM_H_
