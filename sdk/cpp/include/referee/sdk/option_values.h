// The options of a match as text, for any game.
#ifndef REFEREE_SDK_OPTION_VALUES_H_
#define REFEREE_SDK_OPTION_VALUES_H_

#include <string>
#include <vector>

#include "referee/sdk/match.h"

namespace referee::sdk {

struct OptionValue {
  std::string name;   // such as "turn_limit"
  std::string value;  // as on the referee's command line, such as "500"; for a file, its bytes
};

// The options that are set, in the order of their declaration in proto/games/<game>/v1. Options
// that are missing have their defaults. For a game that the SDK has no types for: all options,
// sorted by name.
std::vector<OptionValue> OptionValues(const GameOptions& options);

}  // namespace referee::sdk

#endif  // REFEREE_SDK_OPTION_VALUES_H_
