// Asks the user on the terminal for confirmation before something is lost.
#ifndef REFEREE_CTL_TERMINAL_CONFIRM_H_
#define REFEREE_CTL_TERMINAL_CONFIRM_H_

#include <string>

#include "CLI/App.hpp"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "referee/ctl/command.h"
#include "referee/ctl/terminal/output.h"

namespace referee::ctl {

// Adds --yes to a command that asks for confirmation.
void AddYes(CLI::App* command, bool* yes);

// Calls `work` if `yes` is set, or if the user answers the question with "y" or "yes". The question
// goes to stderr; the answer is a line of stdin. Returns kNegative for any other answer, and
// FailedPrecondition that names --yes if stdin is not a terminal.
absl::StatusOr<Exit> IfConfirmed(bool yes, const std::string& question, const Output& output,
                                 absl::FunctionRef<absl::StatusOr<Exit>()> work);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TERMINAL_CONFIRM_H_
