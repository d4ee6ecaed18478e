// Asks whoever sits at the terminal before something is gone for good.
#ifndef REFEREE_CTL_TERMINAL_CONFIRM_H_
#define REFEREE_CTL_TERMINAL_CONFIRM_H_

#include <string>

#include "CLI/App.hpp"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "referee/ctl/command.h"
#include "referee/ctl/terminal/output.h"

namespace referee::ctl {

// Adds --yes to a command that asks first.
void AddYes(CLI::App* command, bool* yes);

// Does `work` with `yes`, or when the user answers the question with "y" or "yes". The question
// goes to stderr; the answer is a line of stdin. Returns kNegative for another answer,
// FailedPrecondition that names --yes when stdin is not a terminal.
absl::StatusOr<Exit> IfConfirmed(bool yes, const std::string& question, const Output& output,
                                 absl::FunctionRef<absl::StatusOr<Exit>()> work);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TERMINAL_CONFIRM_H_
