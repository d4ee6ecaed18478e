// The bots of a duel as a command line names them: "CMD", or "NAME=CMD".
#ifndef REFEREE_CTL_DUEL_BOT_COMMAND_H_
#define REFEREE_CTL_DUEL_BOT_COMMAND_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace referee::ctl {

struct BotCommand {
  std::string name;     // letters, digits, '.', '_' and '-'; unique
  std::string command;  // for /bin/sh
};

// Reads the texts. A bot without a name is called after its program, or after the script that an
// interpreter runs ("python3 -u bots/alice.py" is alice.py); the second of that name gets "-2".
// Returns InvalidArgument that names the text when it has no command, or what stands before a '='
// is a word but no name, or a given name comes twice.
absl::StatusOr<std::vector<BotCommand>> ReadBotCommands(absl::Span<const std::string> texts);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_DUEL_BOT_COMMAND_H_
