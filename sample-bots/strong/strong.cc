// The program of the sample bot "strong": "strong [--think TIME] [options of the SDK]".
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "sample-bots/strong/strong_bot.h"

namespace {

constexpr absl::string_view kThink = "--think";
constexpr absl::Duration kMost = absl::Seconds(2);  // without --think

// Removes "--think TIME" and "--think=TIME" from the arguments; the SDK parses the others. Returns
// the time; zero or negative if it is invalid.
absl::Duration TakeThink(std::vector<const char*>* arguments) {
  absl::Duration most = kMost;
  std::vector<const char*> others;
  for (size_t i = 0; i < arguments->size(); ++i) {
    absl::string_view value = (*arguments)[i];
    if (value != kThink && !absl::StartsWith(value, "--think=")) {
      others.push_back((*arguments)[i]);
      continue;
    }
    const bool apart = value == kThink && i + 1 < arguments->size();
    value = apart ? (*arguments)[++i] : absl::StripPrefix(value, "--think=");
    if (!absl::ParseDuration(value, &most)) most = absl::ZeroDuration();
  }
  *arguments = others;
  return most;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<const char*> arguments(argv, argv + argc);
  const absl::Duration most = TakeThink(&arguments);
  if (most <= absl::ZeroDuration()) {
    std::cerr << "--think: it must be a positive duration such as 50ms or 2s\n";
    return 2;
  }
  for (const absl::string_view argument : arguments) {
    if (argument == "--help" || argument == "-h") {
      std::cout
          << "  --think TIME   How long to think about a move at most, such as 50ms; default: "
          << absl::FormatDuration(kMost) << ".\n"
          << "                 It is never more than two fifths of what the move may take.\n";
    }
  }
  referee::sdk::Options options;
  options.software = "strong";
  options.games = {"hypnosia", "isaac"};
  options.legal_moves = false;  // the rules list them
  strong::StrongBots bots(most);
  return referee::sdk::Run(bots, static_cast<int>(arguments.size()), arguments.data(), options);
}
