#include "referee/ctl/program.h"
#include "referee/ctl/terminal/output.h"

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return static_cast<int>(referee::ctl::RunProgram(arguments, referee::ctl::Output::Standard()));
}
