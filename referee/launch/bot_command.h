// Parses the bots of a duel from the command line: "CMD" or "NAME=CMD".
#ifndef REFEREE_LAUNCH_BOT_COMMAND_H_
#define REFEREE_LAUNCH_BOT_COMMAND_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace referee::launch {

struct BotCommand {
  std::string name;     // letters, digits, '.', '_' and '-'; unique
  std::string command;  // for /bin/sh
};

// Parses the texts. A bot without a name gets the name of its program, or of the program that an
// interpreter or launcher runs. So "python3 -u bots/alice.py" is alice.py, and "cd d && nice -n 1
// ./bob" is bob. The second bot of that name gets "-2". Returns InvalidArgument that names the text
// if the command is missing, if the word before a '=' is not a valid name, or if a given name is
// repeated.
absl::StatusOr<std::vector<BotCommand>> ReadBotCommands(absl::Span<const std::string> texts);

// Checks the program at the start of a command, if it is a script. Returns InvalidArgument if its
// first line ends with a carriage return. The system takes the carriage return as part of the
// interpreter's name, and a shell then reports that the script does not exist.
absl::Status CheckScript(const std::string& command);

}  // namespace referee::launch

#endif  // REFEREE_LAUNCH_BOT_COMMAND_H_
