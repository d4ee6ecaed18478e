#include "referee/ctl/terminal/output.h"

#include <unistd.h>

#include <cstdlib>
#include <iostream>

namespace referee::ctl {

Output Output::Standard() {
  const char* no_colour = std::getenv("NO_COLOR");
  const bool refused = no_colour != nullptr && *no_colour != '\0';
  const bool out_is_terminal = isatty(STDOUT_FILENO) == 1;
  return Output(&std::cout, &std::cerr, !refused && out_is_terminal, isatty(STDERR_FILENO) == 1,
                out_is_terminal);
}

void Output::Error(absl::string_view message) const {
  // Flushes earlier answers first, in case both streams go to the same place.
  out_->flush();
  *err_ << "refctl: " << message << std::endl;
}

}  // namespace referee::ctl
