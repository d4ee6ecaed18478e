// Errors of the command line, one function each. base/errors.h says how errors are worded.
#ifndef REFEREE_CTL_ERRORS_H_
#define REFEREE_CTL_ERRORS_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace referee::ctl {

absl::Status BadDice(absl::string_view text);

// Duels. The end of what a bot wrote, as lines to be shown after a message; `log` may be empty.
std::string LogEnd(absl::string_view log);
absl::Status BotNotStarted(absl::string_view name, const absl::Status& cause);
// A flag that goes with --isolate only.
absl::Status OnlyWithIsolate(absl::string_view flag);
// A process that is no bot's (`owner` is empty), or another bot's, has dialled a bot's address.
absl::Status NotABotsProcess(absl::string_view process, absl::string_view owner,
                             absl::string_view bot);
// A state file of a duel.
absl::Status NotADuelState(absl::string_view path);

// Archives.
absl::Status NoArchiveNamed();
// Of a file that would be written over.
absl::Status OtherFileThere(absl::string_view path);
// The same of an output, which --force allows to be written over.
absl::Status OutputThere(absl::string_view path);

// Of `all` that were asked for; which, was said before.
absl::Status ReplaysNotRead(size_t bad, size_t all);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_ERRORS_H_
