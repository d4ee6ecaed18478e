#include "referee/ctl/refctl.h"

#include <string>
#include <vector>

#include "referee/ctl/program.h"
#include "referee/ctl/terminal/output.h"

namespace referee {

int RefctlMain(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return static_cast<int>(ctl::RunProgram(arguments, ctl::Output::Standard()));
}

}  // namespace referee
