#include "referee/ctl/terminal/confirm.h"

#include <unistd.h>

#include <iostream>

#include "referee/ctl/errors.h"

namespace referee::ctl {

absl::StatusOr<bool> Confirm(const std::string& question, const Output& output) {
  if (isatty(STDIN_FILENO) == 0) return NobodyToAsk();
  output.err() << question << " [y/N] " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

}  // namespace referee::ctl
