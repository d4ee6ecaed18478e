// Asks whoever sits at the terminal before something is gone for good.
#ifndef REFEREE_CTL_TERMINAL_CONFIRM_H_
#define REFEREE_CTL_TERMINAL_CONFIRM_H_

#include <string>

#include "absl/status/statusor.h"
#include "referee/ctl/terminal/output.h"

namespace referee::ctl {

// Asks on stderr, and reads a line from stdin: whether it is "y" or "yes". Returns
// FailedPrecondition that names --yes when stdin is no terminal.
absl::StatusOr<bool> Confirm(const std::string& question, const Output& output);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_TERMINAL_CONFIRM_H_
