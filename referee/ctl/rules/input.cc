#include "referee/ctl/rules/input.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_split.h"
#include "referee/base/errors.h"
#include "referee/ctl/match/flags.h"
#include "referee/games/errors.h"

namespace referee::ctl {

absl::Status BadDice(absl::string_view text) {
  return BadValue("--dice", text,
                  "a roll: one digit from 1 to 6 for each die, such as 31; several rolls are "
                  "separated by commas");
}

absl::StatusOr<std::vector<std::vector<int>>> ParseRolls(absl::string_view text) {
  std::vector<std::vector<int>> rolls;
  for (const absl::string_view part : absl::StrSplit(text, ',')) {
    const bool is_roll =
        !part.empty() && part.size() <= games::kMaxChanceCount &&
        std::all_of(part.begin(), part.end(), [](char c) { return '1' <= c && c <= '6'; });
    if (!is_roll) return BadDice(text);
    std::vector<int>& roll = rolls.emplace_back();
    for (const char c : part) roll.push_back(c - '0');
  }
  return rolls;
}

absl::StatusOr<ReadPosition> ParsePositionOf(const games::GameType& type, absl::string_view text,
                                             absl::Span<const std::string> option_texts) {
  const absl::StatusOr<std::vector<games::Option>> options = ReadOptions(type, option_texts);
  if (!options.ok()) return options.status();
  absl::Status refused;
  for (int seats = type.min_seats(); seats <= type.max_seats(); ++seats) {
    const absl::StatusOr<std::shared_ptr<const games::Game>> game = type.Create(seats, *options);
    absl::StatusOr<std::unique_ptr<games::State>> state =
        game.ok() ? (*game)->ParsePosition(text) : game.status();
    if (state.ok()) return ReadPosition{*game, *std::move(state)};
    // Keeps the error that is furthest into the text: it belongs to the intended number of seats.
    if (refused.ok() ||
        games::PositionFaultOffset(state.status()) > games::PositionFaultOffset(refused)) {
      refused = state.status();
    }
  }
  return refused;
}

}  // namespace referee::ctl
