// Completes options from the environment and the command line, and validates them.
#ifndef REFEREE_SDK_SRC_OPTIONS_H_
#define REFEREE_SDK_SRC_OPTIONS_H_

#include <string>

#include "absl/status/statusor.h"
#include "referee/sdk/bot.h"

namespace referee::sdk {

// The default of max_matches: enough for a block of any game.
inline constexpr int kUsualMaxMatches = 8;

// Complete options. parallel_turns is as in Hello: 0 means max_matches.
using SettledOptions = Options;

// Fills in defaults, from the environment where the option says so. Returns InvalidArgument for a
// missing or bad option.
absl::StatusOr<SettledOptions> Settle(Options given);

// The content of a command line.
struct CommandLine {
  Options options;
  std::string text;  // if not empty: text to print instead of playing
};

// Reads a command line. Returns InvalidArgument for a bad one.
absl::StatusOr<CommandLine> ParseCommandLine(int argc, const char* const* argv, Options defaults);

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_OPTIONS_H_
