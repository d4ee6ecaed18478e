// Completes options from the environment and the command line, and validates them.
#ifndef REFEREE_SDK_SRC_OPTIONS_H_
#define REFEREE_SDK_SRC_OPTIONS_H_

#include <string>

#include "absl/status/statusor.h"
#include "referee/sdk/bot.h"

namespace referee::sdk {

// Matches at once of a bot that says nothing of it: a block of any game.
inline constexpr int kUsualMaxMatches = 8;

// Options as they are used.
struct SettledOptions : Options {
  // How many turns the bot thinks about at once, if it said nothing of matches at once; else 0.
  int parallel_turns = 0;
};

// Fills in address, token and max_matches. Returns InvalidArgument that says what is missing or
// wrong.
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
