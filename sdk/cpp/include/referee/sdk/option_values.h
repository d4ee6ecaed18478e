// The options of a match as text, whichever game they are for.
#ifndef REFEREE_SDK_OPTION_VALUES_H_
#define REFEREE_SDK_OPTION_VALUES_H_

#include <string>
#include <vector>

#include "referee/sdk/match.h"

namespace referee::sdk {

struct OptionValue {
  std::string name;   // such as "turn_limit"
  std::string value;  // as the referee's command line takes it, such as "500"; of a file, its bytes
};

// The options that are set, in the order of their declaration in proto/games/<game>/v1; the others
// have their defaults. Of a game that the SDK has no types for all options, sorted by name.
std::vector<OptionValue> OptionValues(const GameOptions& options);

}  // namespace referee::sdk

#endif  // REFEREE_SDK_OPTION_VALUES_H_
