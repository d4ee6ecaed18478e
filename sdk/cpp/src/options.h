// Completes options from the environment and the command line, and validates them.
#ifndef REFEREE_SDK_SRC_OPTIONS_H_
#define REFEREE_SDK_SRC_OPTIONS_H_

#include <string>

#include "absl/status/statusor.h"
#include "referee/sdk/bot.h"

namespace referee::sdk {

// Matches at once of a bot that says nothing of it: a block of any game.
inline constexpr int kUsualMaxMatches = 8;

// Options as they are used: parallel_turns is as in Hello, where 0 is max_matches.
using SettledOptions = Options;

// Fills in address, token, max_matches and parallel_turns. Returns InvalidArgument that says what
// is missing or wrong.
absl::StatusOr<SettledOptions> Settle(Options given);

// What a command line asks for.
struct CommandLine {
  Options options;
  std::string text;  // not empty: to be printed instead of playing
};

// Reads a command line. Returns InvalidArgument for one that makes no sense.
absl::StatusOr<CommandLine> ParseCommandLine(int argc, const char* const* argv, Options defaults);

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_OPTIONS_H_
