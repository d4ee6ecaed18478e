#include "referee/ctl/terminal/confirm.h"

#include <unistd.h>

#include <iostream>

#include "absl/strings/string_view.h"

namespace referee::ctl {
namespace {

bool IsYes(absl::string_view answer) { return answer == "y" || answer == "Y" || answer == "yes"; }

}  // namespace

void AddYes(CLI::App* command, bool* yes) {
  command->add_flag("--yes", *yes, "Does not ask first");
}

absl::StatusOr<Exit> IfConfirmed(bool yes, const std::string& question, const Output& output,
                                 absl::FunctionRef<absl::StatusOr<Exit>()> work) {
  if (yes) return work();
  if (isatty(STDIN_FILENO) == 0)
    return absl::FailedPreconditionError(
        "stdin: not a terminal, where the answer would come from; add --yes if this is to be done");
  output.err() << question << " [y/N] " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  return IsYes(answer) ? work() : Exit::kNegative;
}

}  // namespace referee::ctl
