#include "referee/games/options.h"

#include <algorithm>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"

namespace referee::games {
namespace {

std::string Names(absl::Span<const OptionSpec> specs) {
  return absl::StrJoin(specs, ", ", [](std::string* out, const OptionSpec& spec) {
    absl::StrAppend(out, spec.name);
  });
}

}  // namespace

absl::StatusOr<std::vector<Option>> SettleOptions(absl::Span<const OptionSpec> specs,
                                                  absl::Span<const Option> given) {
  std::vector<Option> settled;
  std::vector<bool> seen(specs.size(), false);
  for (const OptionSpec& spec : specs) {
    settled.push_back({std::string(spec.name), std::string(spec.default_value)});
  }
  for (const Option& option : given) {
    const auto spec = std::find_if(specs.begin(), specs.end(),
                                   [&](const OptionSpec& s) { return s.name == option.name; });
    if (spec == specs.end()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "option ", Quoted(option.name), ": there is no such option; known: ", Names(specs)));
    }
    const size_t index = static_cast<size_t>(spec - specs.begin());
    if (seen[index]) return OptionRepeated(option.name);
    if (option.value.size() > limits::kMaxOptionBytes) {
      return OptionTooLarge(option.name, option.value.size());
    }
    seen[index] = true;
    settled[index].value = option.value;
  }
  return settled;
}

std::string StartOf(const Game& game) {
  for (const Option& option : game.source()) {
    if (option.name == kPositionOption) return option.value;
  }
  return "";
}

absl::Status CheckTakesPositions(const GameType& type, const Game& game) {
  const absl::Span<const OptionSpec> specs = type.option_specs();
  if (std::none_of(specs.begin(), specs.end(),
                   [](const OptionSpec& spec) { return spec.name == kPositionOption; })) {
    return absl::InvalidArgumentError(absl::StrCat(
        "matches of ", type.name(), " start from no position but its first: it has no option '",
        kPositionOption, "'; leave positions out"));
  }
  if (StartOf(game).empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("all matches start from the one that the option '", kPositionOption,
                   "' says; leave that option out, or the positions"));
}

absl::StatusOr<std::shared_ptr<const Game>> GameAt(const GameType& type, const Game& game,
                                                   absl::string_view position) {
  if (absl::Status takes = CheckTakesPositions(type, game); !takes.ok()) return takes;
  std::vector<Option> options = WithoutEmpty(game.source());
  options.push_back({std::string(kPositionOption), std::string(position)});
  return type.Create(game.seats(), options);
}

std::vector<Option> WithoutEmpty(std::vector<Option> options) {
  options.erase(std::remove_if(options.begin(), options.end(),
                               [](const Option& option) { return option.value.empty(); }),
                options.end());
  return options;
}

}  // namespace referee::games
