// The bots of a duel as a command line names them: "CMD", or "NAME=CMD".
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

// Reads the texts. A bot without a name is called after its program, or after what an interpreter
// or another starter runs: "python3 -u bots/alice.py" is alice.py, "cd d && nice -n 1 ./bob" is
// bob. The second of that name gets "-2". Returns InvalidArgument that names the text when it has
// no command, or what stands before a '=' is a word but no name, or a given name comes twice.
absl::StatusOr<std::vector<BotCommand>> ReadBotCommands(absl::Span<const std::string> texts);

// Looks at the program that a command begins with, if it is a script. Returns InvalidArgument that
// names the carriage return at the end of its first line: the system takes it for a part of the
// interpreter's name, and a shell then says that the script does not exist.
absl::Status CheckScript(const std::string& command);

}  // namespace referee::launch

#endif  // REFEREE_LAUNCH_BOT_COMMAND_H_
